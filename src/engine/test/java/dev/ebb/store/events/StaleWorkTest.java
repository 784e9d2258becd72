package dev.ebb.store.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.CountingStore;
import dev.ebb.store.EventStore;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.StoreNames;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each protected event is counted once, when it becomes stale. */
@Tag("O-6")
class StaleWorkTest {

    private final CountingStore events = new CountingStore(StoreNames.EVENTS, EventStore.indexes());
    private final StaleWork stale = new StaleWork(events);

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 5})
    void shouldCountWhatIsProtectedSinceBeforeTheTime(long aheadMs) {
        // given
        waiting(9, 1, "a");
        waiting(9, 1, "b");
        waiting(9, 2, "a");
        waiting(10, 3, "a");
        waiting(11, 3, "b");

        // when
        boolean isDone = stale.advance(10, aheadMs, unlimited());

        // then
        assertThat(isDone).isTrue();
        assertThat(bySid()).containsExactly(Map.entry(1, 2L), Map.entry(2, 1L));
        assertThat(stale.nextSinceMs()).isEqualTo(10);
        stale.advance(11, 0, unlimited());
        assertThat(bySid()).containsOnly(Map.entry(1, 2L), Map.entry(2, 1L), Map.entry(3, 1L));
    }

    @ParameterizedTest
    @CsvSource({"9, 1", "10, 0", "11, 0"})
    void shouldCountAnEventThatComesBehindTheTimeThatWasReached(long sinceMs, long counted) {
        // given
        stale.advance(10, 0, unlimited());

        // when
        stale.pinned(1, sinceMs, 1);

        // then
        assertThat(stale.bySid().of(1)).isEqualTo(counted);
        stale.pinned(1, sinceMs, -1);
        assertThat(bySid()).as("it has left again").isEmpty();
    }

    @Test
    @Tag("A-1")
    void shouldReadNothingUntilTimeGoesOn() {
        // given
        waiting(12, 1, "a");
        stale.advance(10, 5, unlimited());
        assertThat(stale.nextSinceMs()).isEqualTo(12);
        events.resetCounts();

        // then
        assertThat(stale.advance(10, 5, unlimited())).isTrue();
        assertThat(stale.advance(9, 5, unlimited())).isTrue();
        assertThat(events.operations()).isZero();
        assertThat(stale.nextSinceMs()).isEqualTo(10);
    }

    @Test
    void shouldGoOnWhereTheBudgetEndedIt() {
        // given
        for (int i = 0; i < 20; i++) {
            waiting(1 + i / 2, 1 + i, "a");
        }
        int slices = 1;

        // when
        while (!stale.advance(100, 0, spent())) {
            assertThat(stale.nextSinceMs()).isLessThanOrEqualTo(100);
            slices++;
        }

        // then
        assertThat(slices).isGreaterThan(1);
        assertThat(bySid()).hasSize(20);
        assertThat(bySid().values()).containsOnly(1L);
        assertThat(events.openIterators()).isZero();
    }

    @Test
    void shouldForgetStreamsAndEverything() {
        // given
        waiting(1, 1, "a");
        waiting(1, 2, "a");
        stale.advance(10, 0, unlimited());

        // then
        stale.forget(1);
        assertThat(bySid()).containsOnlyKeys(2);
        stale.clear();
        assertThat(bySid()).isEmpty();
        assertThat(stale.nextSinceMs()).isZero();
        stale.advance(10, 0, unlimited());
        assertThat(bySid()).containsOnlyKeys(1, 2);
    }

    private void waiting(long sinceMs, int sid, String id) {
        events.put(EventKeys.waiting(sinceMs, sid, id), new byte[0]);
    }

    private Map<Integer, Long> bySid() {
        Map<Integer, Long> counts = new TreeMap<>();
        for (int sid = stale.bySid().after(0); sid > 0; sid = stale.bySid().after(sid)) {
            counts.put(sid, stale.bySid().of(sid));
        }
        return counts;
    }

    private static SweepBudget unlimited() {
        return new SweepBudget(Integer.MAX_VALUE, Long.MAX_VALUE / 2, System::nanoTime);
    }

    /** Its time is up as soon as it looks at the clock. */
    private static SweepBudget spent() {
        return new SweepBudget(Integer.MAX_VALUE, 0, () -> 0);
    }
}
