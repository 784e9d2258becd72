package dev.ebb.domain.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.model.SeededCases;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-13")
class DurationsTest {

    private static final long[] UNITS = {1, 1000, 60_000, 3_600_000, 86_400_000, 604_800_000};

    @ParameterizedTest
    @CsvSource({
        "500ms, 500",
        "1s, 1000",
        "15m, 900000",
        "24h, 86400000",
        "30d, 2592000000",
        "2w, 1209600000",
        "3mo, 7776000000",
        "P30D, 2592000000",
        "P2W, 1209600000",
        "-P1W, -604800000",
        "PT1.5S, 1500",
        "PT5M, 300000",
        "PT0.001S, 1",
        "' 1 s ', 1000",
        "0s, 0",
        "-1h, -3600000",
        "106751991167d, 9223372036828800000"
    })
    void shouldReadDurationsAsPeopleWriteThem(String text, long ms) {
        assertThat(Durations.parseMs(text)).isEqualTo(ms);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "5, 7, 12",
        "5, 9223372036854775801, 9223372036854775806",
        "5, 9223372036854775802, 9223372036854775807",
        "5, 9223372036854775803, 9223372036854775807",
        "9223372036854775807, 9223372036854775807, 9223372036854775807"
    })
    void shouldNeverCountBeyondTheLastMillisecond(long timeMs, long durationMs, long sumMs) {
        assertThat(Durations.after(timeMs, durationMs)).isEqualTo(sumMs);
    }

    /** A clock that was ahead may have begun it: then its end lies further ahead than it is long. */
    @ParameterizedTest
    @CsvSource({
        "1000, 100, 999, false",
        "1000, 100, 1000, true",
        "1000, 100, 1001, true",
        "1000, 100, 901, false",
        "1000, 100, 900, false",
        "1000, 100, 899, true",
        "0, 0, 0, true",
        "9223372036854775807, 9223372036854775807, 5, false"
    })
    @Tag("O-7")
    void shouldEndAPauseWhenItsTimeComesOrCannotBeRight(long endMs, long pauseMs, long nowMs, boolean isOver) {
        assertThat(Durations.isOver(endMs, pauseMs, nowMs)).isEqualTo(isOver);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "d", "1y", "1.5h", "P30", "thirty days", "1d2h"})
    void shouldRefuseWhatIsNone(String text) {
        assertThatThrownBy(() -> Durations.parseMs(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "106751991168d",
                "999999999999999999w",
                "P106751991168D",
                "99999999999999999999d",
                "9223372036854775808ms",
                "18446744073709551615s",
                "PT18446744073709551615S",
                "P15250284453W"
            })
    void shouldRefuseWhatIsTooLong(String text) {
        assertThatThrownBy(() -> Durations.parseMs(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is too long");
    }

    @ParameterizedTest
    @Tag("O-22")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1M | '1M' is not clear: write m for minutes or mo for months of 30 days",
                "1 D | '1 D' has its unit in capitals; write 1 d",
                "5MS | '5MS' has its unit in capitals; write 5ms"
            })
    void shouldRefuseUnitsInCapitals(String text, String message) {
        assertThatThrownBy(() -> Durations.parseMs(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @Tag("O-22")
    @CsvSource(
            delimiter = '|',
            value = {
                "30 | has no unit; write for example 30s or 30d",
                "1.5h | has a fraction; write it in a smaller unit, such as 90m for 1.5h",
                "PT1.5H | has a fraction; write it in a smaller unit, such as 90m for 1.5h",
                "P0,5D | has a fraction; write it in a smaller unit, such as 90m for 1.5h",
                "P1M | has months or years, which differ in length; write days, such as 30d or 365d",
                "P1Y2M3DT4H | has months or years, which differ in length; write days, such as 30d or 365d",
                "1y | has months or years, which differ in length; write days, such as 30d or 365d",
                "1d2h | has several units; write one, such as 90m, or P1DT12H",
                "5min | is not a duration; write 5m",
                "30 days | is not a duration; write 30d",
                "2 Months | is not a duration; write 2mo",
                "5us | is not a duration; write for example 15m, 24h, 30d or P30D",
                "PT0.0005S | is finer than a millisecond"
            })
    void shouldSayWhatToWriteInstead(String text, String message) {
        assertThatThrownBy(() -> Durations.parseMs(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' " + message);
    }

    @ParameterizedTest
    @CsvSource({"0, 0ms", "1, 1ms", "1500, 1500ms", "60000, 1m", "90000, 90s", "86400000, 1d", "-3600000, -1h"})
    void shouldWriteTheWidestUnitThatFits(long ms, String text) {
        assertThat(Durations.format(ms)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0ms",
        "999, 999ms",
        "1999, 1s",
        "119999, 119s",
        "120000, 2m",
        "7199999, 119m",
        "7200001, 2h",
        "172799999, 47h",
        "172800000, 2d",
        "3456423693, 40d"
    })
    void shouldRoundToAUnitThatPeopleRead(long ms, String text) {
        assertThat(Durations.about(ms)).isEqualTo(text);
    }

    @Test
    void shouldReadWhatItWrote() {
        SeededCases.forAll(2000, random -> {
            long unit = UNITS[random.nextInt(UNITS.length)];
            long ms = random.nextInt(2_000_000) * unit + (random.nextBoolean() ? 0 : random.nextInt(3) - 1);

            assertThat(Durations.parseMs(Durations.format(ms))).isEqualTo(ms);
        });
    }
}
