package dev.ebb.store.pass;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.StoreProbe;
import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing of a deleted stream is left, and each part of it is told of once. */
@Tag("O-10")
class EmptierTest {

    private final StoreFixture fixture = new StoreFixture();
    private final Told told = new Told();

    @Test
    void shouldTakeAwayAndTellOfAllThatADeletedStreamLeaves() {
        // given
        fixture.event(event("s", "ordered"));
        fixture.event(event("s", "timed").ttlSeconds(10));
        fixture.event(event("s", "endless").noExpiration());
        fixture.event(event("s", "waits").status("running"));
        fixture.event(event("s", "numbered").execution(3));
        fixture.execution("s", 0, "completed");
        fixture.execution("s", 7, "running");
        int sid = fixture.retire("s").sid();

        // when
        boolean isDone = empty(1000);

        // then
        assertThat(isDone).isTrue();
        assertThat(told.events).containsExactlyInAnyOrder("ordered", "timed", "endless", "waits", "numbered");
        assertThat(told.causes).containsOnly(RemovalCause.DELETE);
        assertThat(told.executions).containsExactly(3L, 7L, 0L);
        assertThat(told.emptied).containsExactly("s");
        assertThat(StoreProbe.isLeft(sid, fixture.events.contents())).isFalse();
        assertThat(fixture.store.hasRetired()).isFalse();
        fixture.check();
    }

    @Test
    void shouldTellOfNoExecution0ThatWasNeverDeclared() {
        // given
        fixture.event(event("s", "e0"));
        fixture.retire("s");

        // when
        empty(1000);

        // then
        assertThat(told.executions).isEmpty();
    }

    @Test
    @Tag("O-2")
    void shouldTakeNoMoreInASliceThanMayGo() {
        // given
        for (int i = 0; i < 3; i++) {
            fixture.event(event("s", "e" + i));
        }
        fixture.execution("s", 1, "completed");
        fixture.retire("s");

        // then
        assertThat(empty(2)).isFalse();
        assertThat(told.events).containsExactly("e0", "e1");
        assertThat(empty(1)).isFalse();
        assertThat(told.events).hasSize(3);
        assertThat(told.executions).isEmpty();
        assertThat(empty(1)).isTrue();
        assertThat(told.executions).containsExactly(1L);
    }

    /** The executions that are gone have left tombstones. */
    @Test
    @Tag("A-2")
    void shouldGoOnBehindTheExecutionsThatAreGone() {
        assertThat(walkedForTheLastExecution(19))
                .isEqualTo(walkedForTheLastExecution(0))
                .isLessThan(10);
    }

    private static long walkedForTheLastExecution(int gone) {
        StoreFixture fixture = new StoreFixture();
        for (int number = 20 - gone; number <= 20; number++) {
            fixture.execution("s", number, "completed");
        }
        fixture.retire("s");
        Told told = new Told();
        assertThat(fixture.store.empty(budget(gone), told)).isFalse();
        fixture.resetCounts();
        assertThat(fixture.store.empty(budget(1000), told)).isTrue();
        assertThat(told.executions).hasSize(gone + 1);
        return fixture.usage.walked;
    }

    @Test
    @Tag("A-8")
    void shouldRememberNoMoreThanABatchOfExecutions() {
        // given
        for (int number = 1; number <= 300; number++) {
            fixture.execution("s", number, "completed");
        }
        fixture.retire("s");
        fixture.resetCounts();

        // when
        empty(1);

        // then it has read a batch, and the iterator one entry ahead
        assertThat(told.executions).containsExactly(1L);
        assertThat(fixture.usage.walked).isEqualTo(256 + 1);
    }

    @Test
    void shouldTouchNothingOfANewStreamOfThatName() {
        // given
        fixture.event(event("s", "e0"));
        fixture.execution("s", 1, "completed");
        fixture.retire("s");
        fixture.event(event("s", "e0"));
        fixture.execution("s", 1, "completed");

        // when
        empty(1000);

        // then
        assertThat(told.events).containsExactly("e0");
        assertThat(told.executions).containsExactly(1L);
        assertThat(fixture.ids("s")).containsExactly("e0");
        assertThat(fixture.store.knowsExecution(stream("s"), 1)).isTrue();
        fixture.check();
    }

    @Test
    void shouldEmptyOneStreamAfterTheOther() {
        // given
        fixture.event(event("a", "of a"));
        fixture.execution("a", 9, "completed");
        fixture.event(event("b", "of b"));
        fixture.execution("b", 1, "completed");
        fixture.retire("a");
        fixture.retire("b");

        // when
        boolean isDone = empty(1000);

        // then
        assertThat(isDone).isTrue();
        assertThat(told.events).containsExactly("of a", "of b");
        assertThat(told.executions).containsExactly(9L, 1L);
        assertThat(told.emptied).containsExactly("a", "b");
    }

    @Test
    @Tag("O-6")
    void shouldLeaveNothingToTheCountOfStaleEvents() {
        // given events that are counted between the delete of their stream and its end
        fixture.event(event("s", "waits").status("running"));
        fixture.retire("s");
        fixture.nowMs += 10;
        assertThat(fixture.store.countStale(fixture.nowMs, 0, budget(1000))).isTrue();
        assertThat(hasNothingStale()).isFalse();

        // when
        empty(1000);

        // then
        assertThat(hasNothingStale()).isTrue();
    }

    /** The id and what else its row needs can be read. */
    @Test
    @Tag("O-1")
    void shouldTellOfADamagedEventAsFarAsItCanBeRead() {
        // given
        fixture.event(event("s", "e0").expiresAt(StoreFixture.T0 + 1000));
        long storedAt = fixture.find("s", "e0").storedAt();
        int identityBytes = 1 + Long.BYTES + 1 + 3 + 2 * Long.BYTES + 4;
        damage(Range.TIMED, value -> Arrays.copyOf(value, identityBytes));
        fixture.retire("s");

        // when
        boolean isDone = empty(1000);

        // then
        assertThat(isDone).isTrue();
        assertThat(told.events).containsExactly("e0");
        assertThat(told.storedAt).containsExactly(storedAt);
        assertThat(told.unread).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "cut", "strange", "too long"})
    @Tag("O-1")
    void shouldTakeAwayAnEventOfWhichNothingCanBeRead(String damage) {
        // given
        fixture.event(event("s", "e0"));
        fixture.event(event("s", "e1"));
        damage(Range.ORDERED, value -> switch (damage) {
            case "nothing" -> new byte[0];
            case "cut" -> Arrays.copyOf(value, 4);
            case "strange" -> with(value, 0, (byte) 77);
            default -> with(value, 2, (byte) 127);
        });
        fixture.retire("s");

        // when
        boolean isDone = empty(1000);

        // then
        assertThat(isDone).isTrue();
        assertThat(told.unread).isEqualTo(1);
        assertThat(told.events).containsExactly("e1");
        assertThat(told.emptied).containsExactly("s");
    }

    private static byte[] with(byte[] value, int index, byte other) {
        byte[] changed = value.clone();
        changed[index] = other;
        return changed;
    }

    /** Changes the first event of the range behind the back of the store. */
    private void damage(Range range, UnaryOperator<byte[]> change) {
        int sid = stream("s").sid();
        Bytes first = EventKeys.start(range, sid);
        var event = Objects.requireNonNull(fixture.events.contents().ceilingEntry(first));
        fixture.events.put(event.getKey(), change.apply(event.getValue()));
    }

    private boolean hasNothingStale() {
        return fixture.store.staleEvents(fixture.nowMs, 1).run(budget(0));
    }

    private boolean empty(int deletes) {
        return fixture.store.empty(budget(deletes), told);
    }

    private StreamState stream(String name) {
        return Objects.requireNonNull(fixture.store.stream(new StreamName(name)));
    }

    private static SweepBudget budget(int deletes) {
        return new SweepBudget(deletes, Long.MAX_VALUE / 2, System::nanoTime);
    }

    private static final class Told implements RetirementListener {

        private final List<String> events = new ArrayList<>();
        private final List<Long> storedAt = new ArrayList<>();
        private final List<RemovalCause> causes = new ArrayList<>();
        private final List<Long> executions = new ArrayList<>();
        private final List<String> emptied = new ArrayList<>();
        private int unread;

        @Override
        public void removed(Retired stream, Removed removed) {
            events.add(removed.event().id());
            storedAt.add(removed.event().storedAt());
            causes.add(removed.cause());
        }

        @Override
        public void removedUnread(Retired stream) {
            unread++;
        }

        @Override
        public void executionRemoved(Retired stream, Execution execution, long openSinceMs) {
            executions.add(execution.number());
        }

        @Override
        public void emptied(Retired stream) {
            emptied.add(stream.stream().value());
        }
    }
}
