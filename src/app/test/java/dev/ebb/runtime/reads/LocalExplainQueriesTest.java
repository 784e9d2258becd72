package dev.ebb.runtime.reads;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.KeepReason;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.model.Policies;
import dev.ebb.port.ExplainQueries.Standing;
import dev.ebb.port.NotReadyException;
import dev.ebb.store.EventStore;
import dev.ebb.store.StreamWalk;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.rocks.InMemoryStores;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.observe.TaskStatus.Stale;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-15")
class LocalExplainQueriesTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final StreamName STREAM = new StreamName("a/1");

    private final KeyValueStore<Bytes, byte[]> events = InMemoryStores.open("events", EventStore.indexes());
    private final KeyValueStore<Bytes, byte[]> usage =
            Stores.inMemoryKeyValueStore("usage").get();
    private final PolicySet policies = Policies.all(all -> all.maxCount(Limit.of(2)));
    private final EventStore store = new EventStore(events, usage, TerminalStatuses.DEFAULT);
    private final List<TaskStatus> tasks = new ArrayList<>();
    private final LocalExplainQueries queries = new LocalExplainQueries(this::storeOf, 1, () -> tasks);
    private boolean isReady = true;

    @BeforeEach
    void open() {
        store.open(policies);
        for (String id : List.of("1", "2", "3")) {
            store.put(store.prepare(event("a/1", id).build(), T0, T0, policies), policies);
        }
    }

    @Test
    void shouldTellThatACapTakesAnEvent() {
        assertThat(standing("1").decision()).isEqualTo(new Decision.Remove(RemovalCause.MAX_COUNT));
        assertThat(standing("2").decision()).isEqualTo(new Decision.Keep(KeepReason.LIVE));
        assertThat(queries.standing(STREAM, new EventId("4"), policies, T0)).isEmpty();
        assertThat(queries.standing(new StreamName("b"), new EventId("1"), policies, T0))
                .isEmpty();
    }

    /** An undo has brought something back: the cap takes nothing before its notice ends. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1})
    @Tag("T-3")
    void shouldTellOfTheNoticeOfAnUndo(long ms) {
        // given
        long untilMs = T0 - ms;
        StreamWalk walk = store.walk();
        for (StreamState stream = walk.next(); stream != null; stream = walk.next()) {
            stream.giveNotice(untilMs);
        }
        store.put(store.prepare(event("a/1", "4").build(), T0, T0, policies), policies);

        // then
        assertThat(standing("1").decision())
                .isEqualTo(
                        ms <= 0 ? new Decision.Keep(KeepReason.NOTICE) : new Decision.Remove(RemovalCause.MAX_COUNT));
        assertThat(standing("1").noticeUntilMs()).isEqualTo(untilMs);
    }

    @ParameterizedTest
    @EnumSource(SweepState.class)
    void shouldNameTheReasonWhyASweeperDoesNotWork(SweepState state) {
        tasks.add(task(0, state));
        tasks.add(task(1, SweepState.DISABLED));

        assertThat(queries.sweepProblems(STREAM)).hasSize(state.isAtWork() ? 0 : 1);
    }

    @Test
    @Tag("A-7")
    void shouldTellThatAStreamIsBeingRearranged() {
        var stream = store.stream(STREAM);
        store.changePolicy(
                stream, Policies.all(all -> all.anchor(Anchor.OCCURRED)).effective(STREAM), false);

        assertThat(queries.sweepProblems(STREAM)).singleElement().asString().contains("rearranged");
    }

    @Test
    @Tag("O-15")
    void shouldTellThatAStreamIsQuarantined() {
        // when
        store.quarantine(store.stream(STREAM), new Quarantine("it fails", T0));

        // then
        assertThat(queries.sweepProblems(STREAM))
                .singleElement()
                .asString()
                .contains("quarantined", "it fails", "ebb stream repair");
    }

    /** A stream may be explained before it has any event. */
    @Test
    void shouldTellThatAPartitionIsNotReady() {
        isReady = false;

        assertThat(queries.sweepProblems(STREAM)).containsExactly("partition 0 moves");
    }

    private Standing standing(String id) {
        return queries.standing(STREAM, new EventId(id), policies, T0).orElseThrow();
    }

    private ReadOnlyEventStore storeOf(int partition) {
        if (!isReady) {
            throw new NotReadyException("partition " + partition + " moves", Duration.ofSeconds(1));
        }
        return new ReadOnlyEventStore(events, usage);
    }

    private static TaskStatus task(int partition, SweepState state) {
        return new TaskStatus(
                partition,
                state,
                -1,
                -1,
                -1,
                0,
                0,
                0,
                0,
                List.of(),
                Map.of(),
                null,
                Stale.NONE,
                Map.of(),
                0,
                0,
                List.of(),
                Map.of(),
                TaskStatus.Crowd.NONE);
    }
}
