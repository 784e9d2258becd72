package dev.ebb.domain.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bare numbers that are to be epoch milliseconds. */
@Tag("O-22")
class TimeRuleTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "20261128101500 | 20261128101500 is read as 2612-01-19; a date and a time? Write it as 2026-11-28T10:15Z",
                "20261128101501 | 20261128101501 is read as 2612-01-19; a date and a time? Write it as 2026-11-28T10:15:01Z",
                "202611281015 | 202611281015 is read as 1976-06-03; a date and a time? Write it as 2026-11-28T10:15Z",
                "197101010000 | 197101010000 is read as 1976-03-31; a date and a time? Write it as 1971-01-01T00:00Z",
                "21991231235959 | 21991231235959 is read as 2666-11-16; a date and a time? Write it as 2199-12-31T23:59:59Z",
                "1764300000 | 1764300000 is read as 1970-01-21, before 1971; seconds?"
            })
    void shouldNotTakeTheDigitsOfADateForMilliseconds(long number, String problem) {
        assertThat(TimeRule.problemOfNumber(number)).isEqualTo(problem);
    }

    /** Other numbers of that size are no date, or of a year that is not written so. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                202611281060L,
                202613281015L,
                20260229101500L,
                20261128101561L,
                197012312359L,
                220001010000L,
                22000101000000L,
                1764300000000L,
                253402300799999L
            })
    void shouldTakeOtherNumbersAsTheyAre(long number) {
        assertThat(TimeRule.problemOfNumber(number)).isNull();
    }
}
