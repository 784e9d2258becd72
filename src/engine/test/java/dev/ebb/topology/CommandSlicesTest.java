package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.child;
import static dev.ebb.topology.CommandFixture.completedBefore;
import static dev.ebb.topology.CommandFixture.counts;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.namespace;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.store.StoreCheck;
import dev.ebb.topology.parts.TopologySettings;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A command over many streams whose slices end as soon as they may: each stream is decided when its turn comes. */
@Tag("O-2")
@Tag("O-9")
class CommandSlicesTest {

    private static final int STREAMS = 10;

    private final TopologyFixture fixture = TopologyFixture.inMemory(settings(Duration.ofNanos(1)));

    @AfterEach
    void close() {
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
        fixture.close();
    }

    @Test
    @Tag("O-12")
    void shouldPurgeChildrenStepByStep() {
        // given
        fillWithChildren(fixture, STREAMS);

        // when
        CommandResult result = fixture.carryOut(request("c-1", purge(namespace("kid"))));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(counts(result)).isEqualTo("10 of 10 streams, 10 executions, 10 events, 0 protected, skipped {}");
    }

    @Test
    @Tag("M-6")
    void shouldAskForTheParentOfAStreamThatGotOneMeanwhile() {
        // given
        fill();
        fixture.execution(execution("open", 1, "running"));
        fixture.send(request("c-1", purge(namespace("kid"))));
        awaitFirst();

        // when
        fixture.execution(child("kid/9", "open", "completed"));
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(counts(result))
                .isEqualTo("9 of 10 streams, 0 executions, 9 events, 0 protected, skipped {PARENT_OPEN=1}");
        assertThat(fixture.ids("kid/9")).hasSize(1);
    }

    /** It is not even skipped: the command does not mean it any more. */
    @Test
    @Tag("M-13")
    void shouldLeaveAStreamThatGoesOnMeanwhile() {
        // given
        fill();
        fixture.send(request("c-1", purge(completedBefore(T0))));
        awaitFirst();

        // when
        fixture.event(event("kid/9", "late").completedAt(T0));
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(counts(result)).isEqualTo("9 of 9 streams, 0 executions, 9 events, 0 protected, skipped {}");
        assertThat(fixture.ids("kid/9")).hasSize(2);
    }

    @Test
    @Tag("M-13")
    void shouldTakeAStreamWhoseLaterEventIsGoneAgain() {
        // given
        fill();
        fixture.send(request("c-1", purge(completedBefore(T0))));
        awaitFirst();

        // when
        fixture.event(event("kid/9", "late").completedAt(T0).expiresAt(fixture.nowMs()));
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(counts(result)).isEqualTo("10 of 10 streams, 0 executions, 10 events, 0 protected, skipped {}");
    }

    /** Ten answers take no longer than one. */
    @Test
    @Tag("O-12")
    void shouldAskForAllAncestorsAtOnce() {
        assertThat(roundsOfPurge(STREAMS)).isEqualTo(roundsOfPurge(1));
    }

    private static long roundsOfPurge(int children) {
        try (TopologyFixture own = TopologyFixture.inMemory(settings(Duration.ofSeconds(10)))) {
            fillWithChildren(own, children);
            long before = own.nowMs();
            own.carryOut(request("c-1", purge(namespace("kid"))));
            return own.nowMs() - before;
        }
    }

    private static void fillWithChildren(TopologyFixture fixture, int children) {
        for (int i = 0; i < children; i++) {
            fixture.execution(child("kid/" + i, "parent/" + i, "completed"));
            fixture.event(event("kid/" + i, "e").execution(1));
            fixture.execution(execution("parent/" + i, 1, "completed"));
        }
    }

    /** The first ones complete first, so their turns come first. */
    private void fill() {
        IntStream.range(0, STREAMS)
                .forEach(i -> fixture.event(event("kid/" + i, "e").completedAt(T0 - STREAMS + i)));
    }

    private void awaitFirst() {
        for (int i = 0; i < 1000 && !fixture.ids("kid/0").isEmpty(); i++) {
            fixture.advance(100);
        }
        assertThat(fixture.ids("kid/0")).isEmpty();
        assertThat(fixture.ids("kid/8")).isNotEmpty();
    }

    private static TopologySettings settings(Duration slice) {
        return new SettingsLike(TopologyFixture.settings(OptionalLong.empty(), 1000))
                .sweepSlice(slice)
                .make();
    }
}
