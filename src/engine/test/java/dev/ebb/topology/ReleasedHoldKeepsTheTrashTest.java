package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events that a released hold lets go can be brought back, also those whose own TTL has passed under it (T-1). */
@Tag("T-1")
class ReleasedHoldKeepsTheTrashTest {

    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldKeepWhatTheHoldHasKept() {
        // given
        releaseAHoldOverEventsOfOneSecond();

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(2);
    }

    @Test
    void shouldLeaveOtherTtlsToTheirProducersAgainOnceTheReleaseIsProved() {
        // given
        releaseAHoldOverEventsOfOneSecond();
        fixture.advance(2 * DAY_MS);

        // when
        fixture.event(event("orders/1", "c").ttlSeconds(1));
        fixture.advance(5000);

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(2);
    }

    @Test
    void shouldKeepNothingOfStreamsThatTheHoldDidNotCover() {
        // given
        releaseAHoldOverEventsOfOneSecond();

        // when
        fixture.event(event("mail/1", "c").ttlSeconds(1));
        fixture.advance(5000);

        // then
        assertThat(fixture.ids("mail/1")).isEmpty();
        assertThat(fixture.trash).hasSize(2);
    }

    /** The release may be the oldest of many changes by the time the events go. */
    @Test
    @Tag("T-2")
    void shouldFindByTheReleaseWhatWentAfterManyOtherChanges() {
        // given holds of other cases, which end after that of case-1
        for (int i = 0; i < 12; i++) {
            fixture.hold("other-" + i, Scope.namespace("orders"));
        }
        fixture.hold("case-1", Scope.namespace("orders"));
        fixture.event(event("orders/1", "a").ttlSeconds(1));
        fixture.advance(5000);
        fixture.release("case-1");
        for (int i = 0; i < 12; i++) {
            fixture.release("other-" + i);
        }
        fixture.advance(5000);
        fixture.emptyOut();
        assertThat(fixture.ids("orders/1")).isEmpty();

        // when
        UndoFilter filter = new UndoFilter(null, null, "hold:case-1", null, null, null, null, null);
        fixture.carryOut(CommandFixture.request("u-1", new Command.UndoDeletes(filter, null)));

        // then
        assertThat(fixture.ids("orders/1")).containsExactly("a");
    }

    /** A scope remembers the last 16 changes. What an older one has freed waits in the trash all the same. */
    @Test
    void shouldKeepWhatAForgottenReleaseHasFreed() {
        // given
        fixture.event(event("orders/1", "a").ttlSeconds(1));
        for (int i = 0; i < 20; i++) {
            fixture.hold("case-" + i, Scope.namespace("orders"));
        }
        fixture.advance(5000);

        // when
        for (int i = 0; i < 20; i++) {
            fixture.release("case-" + i);
        }
        fixture.advance(5000);
        fixture.emptyOut();
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.trash).hasSize(1);
        UndoFilter filter = new UndoFilter(null, null, "hold:case-19", null, null, null, null, null);
        fixture.carryOut(CommandFixture.request("u-1", new Command.UndoDeletes(filter, null)));

        // then
        assertThat(fixture.ids("orders/1")).containsExactly("a");
    }

    private void releaseAHoldOverEventsOfOneSecond() {
        fixture.hold("case-1", Scope.namespace("orders"));
        fixture.event(event("orders/1", "a").ttlSeconds(1));
        fixture.event(event("orders/1", "b").ttlSeconds(1));
        fixture.advance(5000);
        fixture.release("case-1");
        fixture.advance(5000);
    }
}
