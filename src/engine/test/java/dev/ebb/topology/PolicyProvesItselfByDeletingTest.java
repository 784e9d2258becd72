package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy is new until it has deleted for a while, however long it has been in force (T-1). */
@Tag("T-1")
class PolicyProvesItselfByDeletingTest {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long DAY_MS = 24 * HOUR_MS;

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void age(long ms) {
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(ms))
                .set(PolicyField.UNDO, Limit.of(HOUR_MS))
                .build());
    }

    @Test
    void shouldKeepWhatAPolicyTakesFirstAfterDays() {
        // given three days that were to be three years
        age(3 * DAY_MS);
        fixture.event(event("orders/1", "a"));
        fixture.event(event("orders/2", "b"));

        // when
        fixture.advance(3 * DAY_MS + 1000);

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(2);
    }

    /** Caps that take events all the time must not prove an age that has taken none yet. */
    @Test
    void shouldProveEachCauseByItself() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(3 * DAY_MS))
                .maxCount(Limit.of(1))
                .set(PolicyField.UNDO, Limit.of(HOUR_MS))
                .build());
        fixture.event(event("orders/1", "a"));
        fixture.event(event("orders/1", "b"));
        fixture.advance(2 * DAY_MS);
        int before = fixture.trash.size();

        // when
        fixture.advance(DAY_MS + 1000);

        // then
        assertThat(before).isOne();
        assertThat(fixture.trash).hasSize(2);
    }

    @Test
    void shouldKnowAfterARestartSinceWhenItDeletes() {
        // given
        age(DAY_MS);
        fixture.event(event("orders/1", "a"));
        fixture.advance(DAY_MS + 1000);
        fixture.event(event("orders/1", "b"));

        // when
        fixture.restart();
        fixture.advance(DAY_MS + 1000);

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(1);
    }

    @Test
    void shouldProveItselfAnewAfterAChange() {
        // given
        age(DAY_MS);
        fixture.event(event("orders/1", "a"));
        fixture.advance(2 * DAY_MS);
        fixture.event(event("orders/1", "b"));

        // when
        age(DAY_MS / 2);
        fixture.advance(DAY_MS);

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(2);
    }

    /** The end of the notice is the second time for the same mistake; it must not be the last one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("T-3")
    void shouldProveItselfAnewAfterAnUndo(boolean isRestarted) {
        // given a policy whose deletes are undone shortly before it has proved itself
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(DAY_MS)).build());
        fixture.event(event("orders/1", "a"));
        fixture.advance(DAY_MS + 1000);
        assertThat(fixture.ids("orders/1")).isEmpty();
        fixture.advance(DAY_MS - HOUR_MS / 2);
        assertThat(back(fixture.carryOut(request("u-1", undoOfPolicy())))).isOne();
        if (isRestarted) {
            fixture.restart();
        }

        // when its notice ends
        fixture.advance(HOUR_MS + 1000);
        assertThat(fixture.ids("orders/1")).isEmpty();
        fixture.advance(DAY_MS - HOUR_MS);
        CommandResult again = fixture.carryOut(request("u-2", undoOfPolicy()));

        // then
        assertThat(back(again)).isOne();
        assertThat(fixture.ids("orders/1")).containsExactly("a");
    }

    private static Command undoOfPolicy() {
        return new Command.UndoDeletes(new UndoFilter(null, null, "*", null, null, null, null, null), null);
    }

    private static long back(CommandResult result) {
        assertThat(result.refusal()).as(result.detail()).isNull();
        return Objects.requireNonNull(Outcomes.undone(result)).events();
    }

    @Test
    void shouldProveItselfInEachNamespace() {
        // given
        age(DAY_MS);
        fixture.event(event("orders/1", "a"));
        fixture.advance(2 * DAY_MS);
        fixture.event(event("mail/1", "b"));
        fixture.event(event("orders/1", "c"));
        int before = fixture.trash.size();

        // when
        fixture.advance(DAY_MS + 1000);

        // then
        assertThat(fixture.trash).hasSize(before + 1);
        assertThat(new String(fixture.trash.get(before).key())).contains("mail/1");
    }
}
