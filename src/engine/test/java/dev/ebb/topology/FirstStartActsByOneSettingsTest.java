package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Limit;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two instances start for the first time with different terminal statuses: the policy gate is on one of them, and the
 * other deletes nothing before it has seen which settings are in force.
 */
@Tag("T-13")
class FirstStartActsByOneSettingsTest {

    private static final Topics TOPICS = new Topics("ebb.", 2);
    private static final String STREAM = streamOf(1);
    private static final TopologySettings OF_THE_GATE = statuses(List.of("done"));
    private static final TopologySettings OF_THE_OTHER = statuses(List.of("done", "pending"));

    private final TestRecords records = new TestRecords();
    private final TaskFixture other = TaskFixture.atFirstStart(TOPICS, 1, records, OF_THE_OTHER);
    private long nowMs = TopologyFixture.T0;

    @Test
    void shouldDeleteNothingBeforeSettingsAreInForce() {
        // given an event that only the statuses of the gate protect
        pending();

        // when
        runFor(30);

        // then
        assertThat(other.observer.status).isNotNull();
        assertThat(other.observer.status.sweepState()).isEqualTo(SweepState.WAITING_FOR_POLICIES);
        assertThat(other.stored(STREAM)).isEmpty();
        assertThat(other.observer.lateness).as("what was deleted").isEmpty();

        // when the first settings of the gate come
        TopologyFixture.accept(other.views, OF_THE_GATE.configured());
        runFor(30);

        // then
        assertThat(other.observer.status.sweepState()).isEqualTo(SweepState.IDLE);
        assertThat(other.stored(STREAM)).hasSize(1).allMatch(StoredEvent::isProtected);
        assertThat(other.observer.lateness).isEmpty();
    }

    @Test
    void shouldDeleteBySettingsOfItsOwnOnceTheyAreInForce() {
        // given
        pending();

        // when
        TopologyFixture.accept(other.views, OF_THE_OTHER.configured());
        runFor(30);

        // then
        assertThat(other.stored(STREAM)).isEmpty();
        assertThat(other.observer.lateness).hasSize(1);
    }

    private void pending() {
        byte[] key = STREAM.getBytes(StandardCharsets.UTF_8);
        other.process(TOPICS.events(), key, event(STREAM, "e").status("pending").build());
    }

    private void runFor(int seconds) {
        for (int i = 0; i < seconds; i++) {
            nowMs += 1000;
            other.tick(nowMs);
        }
    }

    private static String streamOf(int partition) {
        return Stream.iterate(0, i -> i + 1)
                .map(i -> "orders/" + i)
                .filter(name -> StreamPartition.of(new StreamName(name), TOPICS.partitions()) == partition)
                .findFirst()
                .orElseThrow();
    }

    private static TopologySettings statuses(List<String> terminal) {
        return new SettingsLike(TopologyFixture.settings(OptionalLong.of(1000), 10_000))
                .terminalStatuses(new TerminalStatuses(terminal))
                .builtIn(new BuiltInPolicies(Limit.of(5000)))
                .make();
    }
}
