package dev.ebb.domain.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-22")
class TimesTest {

    private static final long NOW = ms("2026-11-29T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T09:00:00Z, 2026-01-31T09:00:00Z",
        "2026-01-31t10:00:00.5+01:00, 2026-01-31T09:00:00.500Z",
        "2026-01-31T10:00+0100, 2026-01-31T09:00:00Z",
        "1764300000s, 2025-11-28T03:20:00Z",
        "1764300000123ms, 2025-11-28T03:20:00.123Z",
        "1h, 2026-11-29T11:00:00Z",
        "3600s, 2026-11-29T11:00:00Z",
        "86400000ms, 2026-11-28T12:00:00Z",
        "P1D, 2026-11-28T12:00:00Z",
        "2mo, 2026-09-30T12:00:00Z",
        "' 1h ', 2026-11-29T11:00:00Z",
        "2026-11-28t12:30:00z, 2026-11-28T12:30:00Z",
        "2026-11-28T12:30:00.123999999Z, 2026-11-28T12:30:00.123Z",
        "2026-11-28T12:30:00-00:00, 2026-11-28T12:30:00Z",
        "2026-11-28T12:30:00.1234567890123Z, 2026-11-28T12:30:00.123Z",
        "2026-11-28 12:30:00Z, 2026-11-28T12:30:00Z",
        "2026-11-28 12:30:00.5+00, 2026-11-28T12:30:00.500Z",
        "253402300799999ms, 9999-12-31T23:59:59.999Z"
    })
    void shouldReadEachForm(String text, String moment) {
        assertThat(Times.read(text, DateBound.BEGINNING, NOW)).isEqualTo(ms(moment));
    }

    @ParameterizedTest
    @CsvSource({"BEGINNING, 2026-11-27T00:00:00Z", "END, 2026-11-27T23:59:59.999Z", "AFTER, 2026-11-28T00:00:00Z"})
    void shouldTakeADateByItsBound(DateBound bound, String moment) {
        assertThat(Times.read("2026-11-27", bound, NOW)).isEqualTo(ms(moment));
        assertThat(Times.read("20261127", bound, NOW)).isEqualTo(ms(moment));
        assertThat(Times.readAhead("2026-11-27", bound)).isEqualTo(ms(moment));
        assertThat(Times.readFixed("20261127", bound)).isEqualTo(ms(moment));
    }

    @ParameterizedTest
    @CsvSource({
        "1990-12-31T23:59:60Z, 1990-12-31T23:59:59.999Z",
        "1990-12-31T15:59:60-08:00, 1990-12-31T23:59:59.999Z",
        "2016-12-31 23:59:60Z, 2016-12-31T23:59:59.999Z",
        "2016-12-31T23:59:60.7777777777777Z, 2016-12-31T23:59:59.999Z"
    })
    void shouldTakeALeapSecondAsTheLastMomentOfItsMinute(String text, String moment) {
        assertThat(Times.readFixed(text, DateBound.BEGINNING)).isEqualTo(ms(moment));
        assertThat(Times.read(text, DateBound.BEGINNING, NOW)).isEqualTo(ms(moment));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1764300000 | has no unit; write epoch as 1764300000s",
                "5 | has no unit",
                "20261301 | '20261301' is not a date",
                "2026-02-30 | is not a date",
                "2026-01-31T09:00:00 | names no offset; write 2026-01-31T09:00:00Z for UTC",
                "2026-01-31T09:00:60Z | is not a time",
                "yesterday | is not a time",
                "2026-11-31 | is not a date",
                "2026-02-29 | is not a date",
                "20260229 | is not a date",
                "2026-1-5 | is not a time",
                "28.11.2026 | is not a time",
                "11/28/2026 | is not a time",
                "2026-W48-6 | is not a time",
                "2026-332 | is not a time",
                "2026 | has no unit",
                "202611281230 | has no unit",
                "2026-11-28T24:00:00Z | is not a time",
                "2026-11-28T12:30:00+24:00 | is not a time",
                "2026-11-28T12:30:00[Europe/Berlin] | is not a time",
                "2026-11-28T12:30:00,5Z | is not a time",
                "1.5h | has a fraction; write it in a smaller unit",
                "2026-1128 | is not a time",
                "2026-11-28T12:30:00.Z | is not a time",
                "2026-11-28T12:30:001Z | is not a time",
                "2026-11-28T12:301Z | is not a time",
                "2026-11-28T12:30:00Zz | is not a time",
                "2026-11-28T12:30:00+01:00+0100 | is not a time",
                "2026-11-28T12:30:00 01:00 | has a blank before 01:00; in a URL write + as %2B",
                "2026-11-28 12:30:00 | names no offset; write 2026-11-28T12:30:00Z for UTC",
                "2016-12-31T23:59:61Z | is not a time",
                "1h30m | is not a time",
                "0x10s | is not a time",
                "\u0661h | is not a time",
                "1764300000000000us | is not a duration",
                "1H | write 1h",
                "+5m | is not a time",
                "9223372036854775807ms | is before 1970",
                "9223372036854775808ms | is too long",
                "253402300800000ms | must not be after 9999",
                "10000-01-01 | is not a time",
                "NaN | is not a time",
                "1M | write m for minutes or mo for months",
                "-1h | is not a positive duration",
                "99999d | 99999d ago is before 1970",
                "500000000s | may be a duration or the epoch of 1985-11-05T00:53:20Z",
                "999999999999999999s | must not be after 9999",
                "1969-12-31T23:59:59Z | must not be before 1970",
                "+10000-01-01T00:00:00Z | must not be after 9999"
            })
    void shouldRefuseWhatIsNotClear(String text, String why) {
        assertThatThrownBy(() -> Times.read(text, DateBound.BEGINNING, NOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource({"1h", "P1D", "3600s", "5ms"})
    void shouldTakeNoDurationWhereItsMeaningWouldChange(String text) {
        assertThatThrownBy(() -> Times.readFixed(text, DateBound.BEGINNING))
                .hasMessageContaining("was the duration '" + text + "'");
        assertThatThrownBy(() -> Times.readAhead(text, DateBound.BEGINNING))
                .hasMessageContaining("was the duration '" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "90d, 2027-02-27T12:00:00Z",
        "PT1H, 2026-11-29T13:00:00Z",
        "2027-01-31, 2027-01-31T23:59:59.999Z",
        "2027-01-31T00:00:00Z, 2027-01-31T00:00:00Z",
        "1830384000s, 2028-01-02T00:00:00Z"
    })
    void shouldCountDurationsOfAnEndFromNowOn(String text, String moment) {
        assertThat(Times.readEnd(text, DateBound.END, NOW)).isEqualTo(ms(moment));
    }

    @ParameterizedTest
    @CsvSource({
        "0d, positive",
        "-1h, positive",
        "1M, write m for minutes",
        "tomorrow, is not a time",
        "999999999d, 9999"
    })
    void shouldRefuseAnEndThatIsNotClear(String text, String why) {
        assertThatThrownBy(() -> Times.readEnd(text, DateBound.END, NOW)).hasMessageContaining(why);
    }

    private static long ms(String text) {
        return Instant.parse(text).toEpochMilli();
    }
}
