package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.topology.parts.TopologySettings;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The last millisecond of a notice belongs to it; in the next one the policy in force decides (T-3, M-13). */
@Tag("T-3")
class NoticeEndsExactlyTest {

    private static final String STREAM = "orders/1";

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @BeforeEach
    void sweepEachMillisecond() {
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 10_000));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({"-1, 3", "0, 3", "1, 0"})
    void shouldLetAgeDecideFromTheMillisecondAfter(long ms, int left) {
        // given
        long untilMs =
                deleteAndUndo(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());

        // when
        fixture.advance(untilMs + ms - fixture.nowMs());

        // then
        assertThat(fixture.visibleIds(STREAM)).hasSize(left);
        assertThat(fixture.ids(STREAM)).hasSize(left);
    }

    @ParameterizedTest
    @CsvSource({"-1, 3", "0, 3", "1, 1"})
    void shouldLetACapDecideFromTheMillisecondAfter(long ms, int left) {
        // given
        long untilMs = deleteAndUndo(
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());

        // when
        fixture.advance(untilMs + ms - fixture.nowMs());

        // then
        assertThat(fixture.ids(STREAM)).hasSize(left);
    }

    /** A sweep by hand must not note that the cap takes nothing: the notice ends without any word of the stream. */
    @ParameterizedTest
    @CsvSource({"0, 3", "1, 1"})
    void shouldLetACapDecideAfterASweepByHand(long ms, int left) {
        // given
        long untilMs = deleteAndUndo(
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        fixture.carryOut(request("s-1", new Command.SweepNow(Scope.ALL, null)));
        assertThat(fixture.ids(STREAM)).hasSize(3);

        // when
        fixture.advance(untilMs + ms - fixture.nowMs());

        // then
        assertThat(fixture.ids(STREAM)).hasSize(left);
    }

    /** The same from what a restart finds. */
    @ParameterizedTest
    @CsvSource({"-1, 3", "0, 3", "1, 0"})
    void shouldEndAfterARestart(long ms, int left) {
        // given
        long untilMs =
                deleteAndUndo(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.restart();
        fixture.advance(10);

        // when
        fixture.advance(untilMs + ms - fixture.nowMs());

        // then
        assertThat(fixture.ids(STREAM)).hasSize(left);
    }

    /** A policy that no longer takes anything keeps all after the notice as well. */
    @ParameterizedTest
    @CsvSource({"0", "1", "100000"})
    void shouldGoByThePolicyThatIsInForceThen(long ms) {
        // given
        long untilMs =
                deleteAndUndo(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build());
        fixture.removePolicy(Scope.ALL);

        // when
        fixture.advance(untilMs + ms - fixture.nowMs());

        // then
        assertThat(fixture.ids(STREAM)).hasSize(3);
    }

    /** Returns the last millisecond of the notice. */
    private long deleteAndUndo(RetentionPolicy policy) {
        for (String id : new String[] {"a", "b", "c"}) {
            fixture.event(event(STREAM, id));
        }
        fixture.carryOut(request("c-1", delete(STREAM)));
        fixture.emptyOut();
        fixture.policy(policy);
        UndoFilter filter = new UndoFilter("c-1", null, null, null, null, null, null, null);
        var result = fixture.carryOut(request("u-1", new Command.UndoDeletes(filter, null)));
        long untilMs = Objects.requireNonNull(
                        Objects.requireNonNull(Outcomes.undone(result)).notice())
                .until()
                .toEpochMilli();
        assertThat(untilMs)
                .isBetween(
                        fixture.nowMs() + TopologySettings.UNDO_NOTICE.toMillis() - 5000,
                        fixture.nowMs() + TopologySettings.UNDO_NOTICE.toMillis());
        fixture.settleFor(3);
        return untilMs;
    }
}
