package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.arrival.Arrival;
import dev.ebb.store.arrival.ExecutionChange;
import dev.ebb.store.arrival.MoveListener;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.layout.Range;
import dev.ebb.store.pass.Pruning;
import dev.ebb.store.state.StreamState;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A failure in the middle of work on one stream: what is done is saved and may be committed, unless it is half of what
 * belongs together, which is known.
 */
@Tag("I-3")
class TornWritesTest {

    private static final String STREAM = "s";
    private static final RemovalListener NOTHING = (stream, gone) -> {};

    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldSaveWhatASweepHadTakenWhenItFails() {
        // given
        fill(0);
        fixture.policies(all().maxAge(Limit.of(1)).build());
        damage(0, 50);
        fixture.nowMs += 2;

        // when
        StreamState stream = stream();
        assertThatThrownBy(() -> fixture.store.removeDue(stream, fixture.nowMs, unlimited(), NOTHING))
                .isInstanceOf(RuntimeException.class);

        // then
        assertSaved(50);
    }

    @Test
    void shouldSaveWhatASweepHadTakenOfExecutionsWhenItFails() {
        // given
        fill(1);
        fill(2);
        fixture.policies(all().maxAge(Limit.of(1)).build());
        damage(2, 50);
        fixture.nowMs += 2;

        // when
        StreamState stream = stream();
        assertThatThrownBy(() -> fixture.store.removeDue(stream, fixture.nowMs, unlimited(), NOTHING))
                .isInstanceOf(RuntimeException.class);

        // then
        assertSaved(50);
    }

    @Test
    void shouldSaveWhatCapsHadTakenWhenTheyFail() {
        // given
        fill(0);
        fixture.policies(all().maxCount(Limit.of(10)).build());
        damage(0, 50);

        // when
        StreamState stream = stream();
        assertThatThrownBy(() -> fixture.store.removeOverCap(stream, fixture.nowMs, unlimited(), NOTHING))
                .isInstanceOf(RuntimeException.class);

        // then
        assertSaved(50);
    }

    @Test
    @Tag("O-9")
    void shouldSaveWhatAPruneHadTakenWhenItFails() {
        // given
        fill(1);
        fill(2);
        damage(1, 50);

        // when
        StreamState stream = stream();
        Pruning pruning = fixture.store.beginPrune(stream, new PruneCondition(0L, null), false);
        assertThatThrownBy(() -> fixture.store.prune(stream, pruning, unlimited(), NOTHING))
                .isInstanceOf(RuntimeException.class);

        // then
        assertSaved(150);
    }

    @Test
    @Tag("A-7")
    void shouldSaveWhatHadMovedWhenAMoveFails() {
        // given
        fill(1);
        damage(1, 50);

        // when
        fixture.begin(all().anchor(Anchor.OCCURRED).build());
        StreamState stream = stream();
        assertThatThrownBy(() -> fixture.store.move(stream, fixture.nowMs, unlimited(), new FailingMoveListener()))
                .isInstanceOf(RuntimeException.class);

        // then
        assertSaved(100);
        fixture.store.quarantine(stream(), new Quarantine("a test", T0));
        assertSaved(100);
    }

    @Test
    void shouldKnowThatTheSendsOfARemovedEventFailed() {
        // given
        fill(0);
        Found found = fixture.store.find(stream(), new EventId("e0-3"));

        // when
        assertTorn(() -> fixture.store.remove(found, RemovalCause.DELETE, removed -> fail()));
    }

    @Test
    void shouldKnowThatTheSendsOfAnEventFailed() {
        // given
        fill(0);
        Arrival arrival =
                fixture.store.prepare(event(STREAM, "e0-3").build(), fixture.nowMs, fixture.nowMs, fixture.policies());

        // when
        assertTorn(() -> fixture.store.put(arrival, fixture.policies(), stream -> fail()));
    }

    @Test
    void shouldKnowThatTheSendsOfASweptExecutionFailed() {
        // given
        fill(1);
        fixture.policies(all().maxAge(Limit.of(1)).build());
        fixture.nowMs += 2;

        // when
        StreamState stream = stream();
        assertTorn(() -> fixture.store.removeDue(stream, fixture.nowMs, unlimited(), new FailingListener()));
    }

    @Test
    @Tag("O-9")
    void shouldKnowThatTheSendsOfAPrunedExecutionFailed() {
        // given
        fill(1);
        fill(2);
        StreamState stream = stream();
        Pruning pruning = fixture.store.beginPrune(stream, new PruneCondition(0L, null), false);

        // when
        assertTorn(() -> fixture.store.prune(stream, pruning, unlimited(), new FailingListener()));
    }

    @Test
    @Tag("A-7")
    void shouldKnowThatTheSendsOfAReclassifiedExecutionFailed() {
        // given
        fill(1);
        fixture.reopen(new TerminalStatuses(List.of("cancelled")));

        // when
        StreamState stream = stream();
        assertTorn(() -> fixture.store.move(stream, fixture.nowMs, unlimited(), new FailingMoveListener()));
    }

    @Test
    @Tag("A-7")
    void shouldKnowThatTheSendsOfAReclassifiedEventFailed() {
        // given
        fixture.event(event(STREAM, "e").status("completed"));
        fixture.reopen(new TerminalStatuses(List.of("cancelled")));

        // when
        StreamState stream = stream();
        assertTorn(() -> fixture.store.move(stream, fixture.nowMs, unlimited(), new FailingMoveListener()));
    }

    private void assertTorn(ThrowingCallable work) {
        assertThatThrownBy(work).hasMessage("a test");
        assertThat(fixture.store.isTorn()).isTrue();
    }

    private void assertSaved(long events) {
        fixture.commit();
        assertThat(fixture.store.isTorn()).isFalse();
        assertThat(stream().totalEvents()).isEqualTo(events);
        assertThat(StoreProbe.isSaved(stream(), fixture.usage.contents())).isTrue();
        fixture.reopen();
        assertThat(stream().totalEvents()).isEqualTo(events);
    }

    private void fill(int execution) {
        for (int i = 0; i < 100; i++) {
            fixture.event(event(STREAM, "e" + execution + "-" + i)
                    .execution(execution)
                    .occurredAt(T0 - i)
                    .metadata(Map.of("key", "value")));
        }
        if (execution > 0) {
            fixture.execution(
                    new ExecutionUpdate(new StreamName(STREAM), execution, "completed", null, null, T0), fixture.nowMs);
        }
        fixture.commit();
    }

    /** Cuts off all that the index entries of the event of that rank in its execution do not need. */
    private void damage(int execution, int rank) {
        int sid = stream().sid();
        List<Bytes> keys = fixture
                .events
                .contents()
                .subMap(EventKeys.start(Range.ORDERED, sid), EventKeys.end(Range.ORDERED, sid))
                .keySet()
                .stream()
                .filter(key -> EventKeys.executionOf(key) == execution)
                .toList();
        Bytes key = keys.get(rank);
        fixture.events.put(key, Arrays.copyOf(fixture.events.contents().get(key), 31));
    }

    private StreamState stream() {
        return fixture.store.stream(new StreamName(STREAM));
    }

    private static RetentionPolicy.Builder all() {
        return RetentionPolicy.of(Scope.ALL);
    }

    private static SweepBudget unlimited() {
        return new SweepBudget(1_000_000, Long.MAX_VALUE / 2, System::nanoTime);
    }

    private static void fail() {
        throw new IllegalStateException("a test");
    }

    private static final class FailingListener implements RemovalListener {

        @Override
        public void removed(StreamState stream, Removed removed) {}

        @Override
        public void executionRemoved(StreamState stream, Execution execution) {
            fail();
        }
    }

    private static final class FailingMoveListener implements MoveListener {

        @Override
        public void changed(StreamState stream, StoredEvent event) {
            fail();
        }

        @Override
        public void changed(ExecutionChange change) {
            fail();
        }

        @Override
        public void rowsGo(StreamState stream, long events) {
            fail();
        }
    }
}
