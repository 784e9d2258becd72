package dev.ebb.topology.trash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.topology.wire.EbbHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Marks by which a task knows its records in the trash again. */
@Tag("T-16")
class TrashMarksTest {

    private static final long T0 = 1_772_323_200_000L;
    private static final long DAY_MS = Duration.ofDays(1).toMillis();
    private static final byte[] VALUE = {1, 2, 3};

    private final Map<String, byte[]> notes = new TreeMap<>();
    private TrashMarks marks = open();

    private TrashMarks open() {
        return new TrashMarks(
                new TreeMap<>(notes),
                (name, value) -> {
                    if (value == null) {
                        notes.remove(name);
                    } else {
                        notes.put(name, value);
                    }
                },
                () -> {});
    }

    private void reopen() {
        marks.flush();
        marks = open();
    }

    @Test
    void shouldNumberRecordsInAscendingOrder() {
        // given
        long first = marks.next(T0);
        long second = marks.next(T0 - 1);
        reopen();

        // when the clock has gone back
        long third = marks.next(T0 - DAY_MS);

        // then
        assertThat(List.of(first, second, third)).isSorted().doesNotHaveDuplicates();
    }

    /** Under at least once a crash may lose what was saved last. */
    @Test
    void shouldNotGiveANumberTwiceAfterACrash() {
        // given
        long lost = marks.next(T0);
        marks = open();

        // when
        long next = marks.next(T0 + 1);

        // then
        assertThat(next).isGreaterThan(lost);
    }

    @ParameterizedTest
    @ValueSource(longs = {1022, 1023, 1024, 1025, 10_000_000_000L})
    void shouldKnowWhatIsOutAfterARestart(long number) {
        // when
        marks.takenOut(number, T0);
        reopen();
        TrashGuard guard = marks.guard();

        // then
        assertThat(List.of(number - 1, number, number + 1))
                .extracting(one -> guard.isOut(key(one)))
                .containsExactly(false, true, false);
    }

    /** An undo that began in time may last for a while. */
    @ParameterizedTest
    @CsvSource({"-1, true", "0, false", "1, false"})
    void shouldForgetWhatIsOutADayAfterItsEnd(long ms, boolean isKnown) {
        // given
        marks.takenOut(7, T0);
        long endMs = T0 + DAY_MS;

        // when
        marks.forget(endMs + ms);

        // then
        assertThat(marks.guard().isOut(key(7))).isEqualTo(isKnown);
        assertThat(marks.nextMs()).isEqualTo(isKnown ? endMs : Long.MAX_VALUE);
        reopen();
        assertThat(marks.guard().isOut(key(7))).isEqualTo(isKnown);
    }

    @Test
    void shouldKnowItsSealsAfterARestartAndNoOthers() {
        // given
        byte[] key = key(1).encode();
        Headers headers = marks.sealed(key, VALUE, TrashMarks.Common.of(headers("c-1")));

        // when
        reopen();

        // then
        assertThat(marks.guard().isGenuine(key, VALUE, headers)).isTrue();
        assertThat(marks.guardOfSeals().isGenuine(key, VALUE, headers)).isTrue();
        notes.clear();
        assertThat(open().guard().isGenuine(key, VALUE, headers)).isFalse();
    }

    /** A header of another program, such as a tracer on the way, does not break a seal. */
    @Test
    void shouldSealTheHeadersOfEbbAlone() {
        // given
        byte[] key = key(1).encode();
        Headers sealed = marks.sealed(key, VALUE, TrashMarks.Common.of(headers("c-1")));

        // when
        Headers traced = new RecordHeaders(sealed.toArray()).add("traceparent", VALUE);
        Headers changed = new RecordHeaders(sealed.toArray());
        EbbHeaders.set(changed, EbbHeaders.COMMAND_ID, "c-2");

        // then
        assertThat(marks.guard().isGenuine(key, VALUE, traced)).isTrue();
        assertThat(marks.guard().isGenuine(key, VALUE, changed)).isFalse();
    }

    private static Headers headers(String commandId) {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.COMMAND_ID, commandId);
        return headers;
    }

    private static TrashKey key(long serial) {
        return TrashKey.ofEvent(new StreamName("orders/1"), 1000, "a").withSerial(serial);
    }
}
