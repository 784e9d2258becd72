package dev.ebb.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.model.Policies;
import dev.ebb.model.SeededCases;
import dev.ebb.store.events.SegmentExtent;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.Random;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Key bytes sort like keys. */
class EventKeysTest {

    private static final int CASES = 5000;
    private static final long[] NUMBERS = {0, 1, 127, 128, 255, 256, 65_535, 65_536, 1L << 40, Long.MAX_VALUE - 1};
    private static final String[] IDS = {"a", "b", "é", "漢", "\uD83D\uDE80", "a\u0080", "zz", "a b"};

    @Test
    @Tag("M-14")
    void shouldSortPositionsByExecutionThenAnchorThenArrival() {
        SeededCases.forAll(CASES, random -> {
            Position one = position(random);
            Position other = position(random);

            int byBytes = EventKeys.positional(Range.ORDERED, 7, one)
                    .compareTo(EventKeys.positional(Range.ORDERED, 7, other));

            assertThat(Integer.signum(byBytes)).isEqualTo(Integer.signum(one.compareTo(other)));
        });
    }

    @Test
    void shouldSortDeadlinesByExecutionThenTimeThenPosition() {
        SeededCases.forAll(CASES, random -> {
            long oneDue = number(random);
            long otherDue = number(random);
            Position one = position(random);
            Position other = position(random);

            int byBytes = EventKeys.due(7, oneDue, one).compareTo(EventKeys.due(7, otherDue, other));

            int byTime = oneDue == otherDue ? one.compareTo(other) : Long.compare(oneDue, otherDue);
            int byExecution = Long.compare(one.execution(), other.execution());
            int expected = byExecution == 0 ? byTime : byExecution;
            assertThat(Integer.signum(byBytes)).isEqualTo(Integer.signum(expected));
            assertThat(EventKeys.dueFrom(7, one.execution(), oneDue)).isLessThan(EventKeys.due(7, oneDue, one));
        });
    }

    @Test
    void shouldReadBackWhatAKeySays() {
        SeededCases.forAll(CASES, random -> {
            Position position = position(random);
            long due = number(random);
            String id = IDS[random.nextInt(IDS.length)];

            assertThat(EventKeys.positionOf(EventKeys.positional(Range.TIMED, 7, position)))
                    .isEqualTo(position);
            assertThat(EventKeys.dueOf(EventKeys.due(7, due, position))).isEqualTo(due);
            assertThat(EventKeys.positionOfDue(EventKeys.due(7, due, position))).isEqualTo(position);
            assertThat(EventKeys.idOf(EventKeys.byId(Range.IDS, 7, id))).isEqualTo(id);
        });
    }

    @Test
    @Tag("A-2")
    void shouldKeepEveryStreamBetweenItsStartAndItsEnd() {
        SeededCases.forAll(CASES, random -> {
            int sid = random.nextInt(Integer.MAX_VALUE - 1);
            Range range = Range.values()[random.nextInt(6)];
            Bytes key = key(range, sid, random);

            assertThat(EventKeys.start(range, sid)).isLessThan(key);
            assertThat(key).isLessThan(EventKeys.end(range, sid));
            assertThat(EventKeys.end(range, sid)).isLessThan(EventKeys.start(range, sid + 1));
        });
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "255, 2", "256, 3", "65535, 3", "65536, 4", "9223372036854775807, 9"})
    void shouldTakeAsFewBytesForAnExecutionAsItsNumberNeeds(long execution, int bytes) {
        Position position = new Position(execution, 1, 2);

        assertThat(EventKeys.positional(Range.ORDERED, 7, position).get()).hasSize(5 + bytes + 16);
        assertThat(EventKeys.due(7, 9, position).get()).hasSize(5 + bytes + 24);
        assertThat(EventKeys.executionOf(EventKeys.due(7, 9, position))).isEqualTo(execution);
    }

    @Test
    void shouldReadBackWhatAKeyOfTheWaitingRangeSays() {
        Bytes key = EventKeys.waiting(Long.MAX_VALUE - 1, Integer.MAX_VALUE, "é");

        assertThat(EventKeys.sinceOfWaiting(key)).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(EventKeys.sidOfWaiting(key)).isEqualTo(Integer.MAX_VALUE);
        assertThat(EventKeys.waitingFrom(Long.MAX_VALUE - 1)).isLessThan(key);
        assertThat(key).isLessThan(EventKeys.waitingFrom(Long.MAX_VALUE));
    }

    @Test
    void shouldPutTheNextPositionRightBehindTheLast() {
        Position last = new Position(3, 5, 7);

        assertThat(last.next()).isGreaterThan(last).isLessThan(new Position(3, 6, 0));
    }

    private static Bytes key(Range range, int sid, Random random) {
        return switch (range) {
            case ORDERED, TIMED, INFINITE -> EventKeys.positional(range, sid, position(random));
            case DUE -> EventKeys.due(sid, number(random), position(random));
            default -> EventKeys.byId(range, sid, IDS[random.nextInt(IDS.length)]);
        };
    }

    private static Position position(Random random) {
        return new Position(number(random), number(random), number(random));
    }

    private static long number(Random random) {
        long number = NUMBERS[random.nextInt(NUMBERS.length)] + random.nextInt(3) - 1;
        return Math.max(0, number);
    }

    /** An event that is not completed has the lowest position of its execution under the anchor completed. */
    @Test
    @Tag("A-2")
    void shouldEndAnExecutionBeforeTheFirstPlaceOfTheNext() {
        StreamState stream = new StreamState(
                new StreamName("s"), 1, Policies.effective(p -> p), Arrangement.of(Policies.effective(p -> p), 0));

        Bytes end = new SegmentExtent(new Segment(stream, 3)).end(Range.ORDERED);

        assertThat(end).isLessThan(EventKeys.positional(Range.ORDERED, 1, new Position(4, 0, 0)));
        assertThat(end).isGreaterThan(EventKeys.positional(Range.ORDERED, 1, new Position(3, Long.MAX_VALUE, 9)));
    }
}
