package dev.ebb.domain.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EmptySource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-24")
class StatusRuleTest {

    @ParameterizedTest
    @ValueSource(strings = {"completed\u200B", "\uFEFFread", "failed\u200F", "\u202Eread", "\u2060", "read\u00AD"})
    void shouldRefuseAStatusThatLooksLikeAnotherOne(String status) {
        assertThat(StatusRule.problem(status)).isEqualTo("must not begin or end with an invisible character");
    }

    @ParameterizedTest
    @ValueSource(strings = {"completed ", "\u00A0", "a\nb", "\uD800"})
    void shouldHoldStatusesToTheRuleOfNames(String status) {
        assertThat(StatusRule.problem(status))
                .isEqualTo(NameRule.problem(status))
                .isNotNull();
    }

    @ParameterizedTest
    @NullSource
    @EmptySource
    @ValueSource(strings = {"read", "in\u200Bwork", "\uD83D\uDE80", "\uD83C\uDFF4\uDB40\uDC67\uDB40\uDC7F"})
    void shouldTakeOthers(String status) {
        assertThat(StatusRule.problem(status)).isNull();
    }
}
