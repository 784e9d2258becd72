package dev.ebb.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.change.PolicyComparison;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("T-13")
class RetentionSettingsTest {

    @ParameterizedTest
    @CsvSource({
        "10, ENFORCE, done,      10, ENFORCE, done,      false, false",
        "10, ENFORCE, done,       9, ENFORCE, done,      true,  false",
        "10, ENFORCE, done,      11, ENFORCE, done,      false, false",
        "10, WARN,    done,      10, ENFORCE, done,      true,  true",
        "10, ENFORCE, done,      10, WARN,    done,      false, false",
        "10, ENFORCE, done,      10, ENFORCE, done+over, true,  true",
        "10, ENFORCE, done+over, 10, ENFORCE, done,      false, false",
    })
    void shouldTellWhichChangesMayDeleteMore(
            long age,
            PolicyMode mode,
            String statuses,
            long newAge,
            PolicyMode newMode,
            String newStatuses,
            boolean mayMakeDue,
            boolean freesOwnTtl) {
        // given
        PolicyEdit former = PolicyEdit.of(settings(age, mode, statuses));
        PolicyEdit edit = PolicyEdit.of(settings(newAge, newMode, newStatuses));
        PolicySet before = PolicySet.empty(new BuiltInPolicies(settings(age, mode, statuses)));

        // when
        PolicySet after = before.with(edit, 7, 7, 5);

        // then
        assertThat(edit.mayMakeDue(former)).isEqualTo(mayMakeDue);
        assertThat(edit.freesOwnTtl(former)).isEqualTo(freesOwnTtl);
        assertThat(new PolicyComparison(before, after).canDeleteMore()).isEqualTo(mayMakeDue);
        assertThat(after.changedMs()).isEqualTo(mayMakeDue ? 5 : 0);
        assertThat(after.settings()).isEqualTo(settings(newAge, newMode, newStatuses));
    }

    @Test
    void shouldHaveKeysThatNoScopeHas() {
        assertThat(PolicyKey.parse("settings")).isEqualTo(PolicyKey.SETTINGS);
        assertThat(PolicyKey.parse("clock")).isEqualTo(PolicyKey.CLOCK);
        assertThat(PolicyKey.SETTINGS).hasToString("settings").isNotEqualTo(PolicyKey.CLOCK);
        assertThat(PolicyKey.SETTINGS.isHold()).isFalse();
    }

    @Test
    void shouldNameDifferencesForPeople() {
        assertThat(settings(1000, PolicyMode.WARN, "done").differencesFrom(settings(2000, PolicyMode.WARN, "over")))
                .containsExactly(
                        "retention.default.max.age: 1s instead of 2s", "terminal.statuses: done instead of over");
    }

    private static RetentionSettings settings(long age, PolicyMode mode, String statuses) {
        return new RetentionSettings(Limit.of(age), mode, new TerminalStatuses(Arrays.asList(statuses.split("\\+"))));
    }
}
