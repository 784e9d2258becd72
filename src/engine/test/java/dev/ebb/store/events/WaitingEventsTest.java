package dev.ebb.store.events;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.StaleCount;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.StoreProbe;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events that have been counted as stale stay so until they are protected no more. */
@Tag("O-6")
class WaitingEventsTest {

    private final StoreFixture fixture = new StoreFixture();
    private long beforeMs;

    @BeforeEach
    void count() {
        fixture.event(event("s", "e0").status("running"));
        fixture.event(event("s", "e1").status("running"));
        beforeMs = fixture.nowMs + 10;
        fixture.nowMs += 100;
        assertThat(fixture.store.countStale(beforeMs, 0, budget())).isTrue();
        assertThat(stale()).isEqualTo(2);
    }

    @Test
    void shouldCountOutAnEventThatIsDone() {
        // when
        fixture.status("s", "e0", "completed", fixture.nowMs);

        // then
        assertThat(stale()).isEqualTo(1);
    }

    @Test
    void shouldCountOutAnEventThatIsRemoved() {
        // when
        fixture.remove("s", "e0");

        // then
        assertThat(stale()).isEqualTo(1);
    }

    @Test
    void shouldStillCountAnEventThatComesAgain() {
        // when
        fixture.event(event("s", "e0").status("running").type("again"));

        // then
        assertThat(stale()).isEqualTo(2);
    }

    /** It is protected from now on only. */
    @Test
    void shouldNotCountAnEventThatIsOpenedAgain() {
        // given
        fixture.status("s", "e0", "completed", fixture.nowMs);

        // when
        fixture.status("s", "e0", "running", fixture.nowMs);

        // then
        assertThat(stale()).isEqualTo(1);
    }

    @Test
    void shouldNotCountAnEventThatWasNeverProtected() {
        // when
        fixture.event(event("s", "old").occurredAt(1L));

        // then
        assertThat(stale()).isEqualTo(2);
    }

    @Test
    void shouldCountNothingOfAStreamThatHasNothingLeft() {
        // when
        fixture.remove("s", "e0");
        fixture.remove("s", "e1");

        // then
        assertThat(StoreProbe.streams(fixture.store)).isEmpty();
        assertThat(fixture.store.staleEvents(beforeMs, 1).run(new SweepBudget(0, 0, System::nanoTime)))
                .isTrue();
    }

    private long stale() {
        StaleCount count = fixture.store.staleEvents(beforeMs, 1);
        assertThat(count.run(budget())).isTrue();
        return count.events();
    }

    private static SweepBudget budget() {
        return new SweepBudget(1000, Long.MAX_VALUE / 2, System::nanoTime);
    }
}
