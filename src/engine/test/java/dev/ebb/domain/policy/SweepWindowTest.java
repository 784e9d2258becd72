package dev.ebb.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-1")
class SweepWindowTest {

    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final long YEAR_BEGINS =
            Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private static final int MINUTES = 366 * 24 * 60;

    @ParameterizedTest
    @ValueSource(strings = {"22:00-06:00 Europe/Berlin", "00:00-01:00 UTC", "06:00-22:00 America/New_York"})
    void shouldNotOpenAtTimesThatNoCalendarHas(String text) {
        SweepWindow window = SweepWindow.parse(text);

        for (long beforeEnd : new long[] {0, 1, 86_400_000, 1000L * 86_400_000}) {
            long fromMs = Long.MAX_VALUE - beforeEnd;
            assertThat(window.nextOpenMs(fromMs)).isGreaterThanOrEqualTo(fromMs);
        }
        assertThat(window.nextOpenMs(Long.MAX_VALUE)).isEqualTo(SweepWindow.NEVER);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            22:00-06:00 Europe/Berlin            | 22:00-06:00 Europe/Berlin
            ' 08:30:15 - 08:30:16  UTC '         | 08:30:15-08:30:16 UTC
            18:00-24:00 Asia/Kolkata             | 18:00-00:00 Asia/Kolkata
            00:00-01:00 +02:00                   | 00:00-01:00 +02:00
            none                                 | none
            NONE                                 | none
            """)
    void shouldReadWhatItWrites(String text, String written) {
        SweepWindow window = SweepWindow.parse(text);

        assertThat(window).hasToString(written);
        assertThat(SweepWindow.parse(window.toString())).isEqualTo(window);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            22:00-22:00 UTC            | the window is empty, it ends when it begins, at 22:00; write none for always
            00:00-24:00 UTC            | the window is empty, it ends when it begins, at 00:00; write none for always
            22:00-06:00                | '22:00-06:00' names no zone; write for example '22:00-06:00 Europe/Berlin', or none
            22:00-06:00 Mars/Olympus   | 'Mars/Olympus' is not a known zone; write one like Europe/Berlin, UTC or +02:00
            22:00-25:00 UTC            | '25:00' is not a time of day
            24:00-06:00 UTC            | '24:00' is not a time of day
            22-6 UTC                   | '22-6 UTC' is not a window; write for example '22:00-06:00 Europe/Berlin', or none
            night                      | is not a window
            ``                         | is not a window
            """)
    @Tag("M-11")
    void shouldSayWhatWouldBeRight(String text, String message) {
        assertThatThrownBy(() -> SweepWindow.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldAlwaysBeOpenWithoutAWindow() {
        assertThat(SweepWindow.ALWAYS.isOpen(5)).isTrue();
        assertThat(SweepWindow.ALWAYS.nextOpenMs(5)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "22:00-06:00 Europe/Berlin",
                "02:30-02:45 Europe/Berlin",
                "02:30-04:00 America/New_York",
                "00:30-01:30 America/New_York",
                "23:45-00:15 Asia/Kolkata",
                "01:45-02:15 Australia/Lord_Howe",
                "09:00-17:00 UTC"
            })
    void shouldAgreeWithAClockThatIsReadEveryMinuteOfAYear(String text) {
        // given
        boolean[] isOpen = openMinutes(text);
        SweepWindow window = SweepWindow.parse(text);
        int nextOpen = MINUTES;

        // then
        for (int minute = MINUTES - 1; minute >= 0; minute--) {
            long nowMs = YEAR_BEGINS + minute * MINUTE;
            nextOpen = isOpen[minute] ? minute : nextOpen;
            if (window.isOpen(nowMs) != isOpen[minute]) {
                throw new AssertionError(text + " at " + Instant.ofEpochMilli(nowMs) + " is not " + isOpen[minute]);
            }
            boolean isOfInterest = (!isOpen[minute] && nextOpen - minute < 3) || minute % 97 == 0;
            if (isOfInterest && nextOpen < MINUTES) {
                assertThat(window.nextOpenMs(nowMs))
                        .as("%s opens after %s", window, Instant.ofEpochMilli(nowMs))
                        .isEqualTo(YEAR_BEGINS + nextOpen * MINUTE);
            }
        }
    }

    @Test
    @Tag("M-11")
    void shouldBeginAndEndAtAWholeSecond() {
        LocalTime whole = LocalTime.of(8, 0, 1);
        LocalTime between = LocalTime.of(8, 0, 0, 1);

        assertThat(SweepWindow.of(whole, LocalTime.NOON, ZoneId.of("UTC"))).hasToString("08:00:01-12:00 UTC");
        assertThatThrownBy(() -> SweepWindow.of(between, LocalTime.NOON, ZoneId.of("UTC")))
                .hasMessage("a window begins and ends at a whole second");
        assertThatThrownBy(() -> SweepWindow.of(LocalTime.NOON, between, ZoneId.of("UTC")))
                .hasMessage("a window begins and ends at a whole second");
    }

    @Test
    void shouldEqualAWindowOfTheSameHoursAlone() {
        SweepWindow window = SweepWindow.parse("22:00-06:00 UTC");

        assertThat(window).isEqualTo(SweepWindow.parse("22:00-06:00 UTC"));
        assertThat(window).isNotEqualTo(SweepWindow.parse("22:00-06:01 UTC")).isNotEqualTo(SweepWindow.ALWAYS);
        assertThat(window.isAlways()).isFalse();
        assertThat(SweepWindow.ALWAYS.isAlways()).isTrue();
    }

    @Test
    void shouldOpenAndCloseAtTheMillisecond() {
        // given
        SweepWindow window = SweepWindow.of(LocalTime.of(8, 0), LocalTime.of(9, 0), ZoneId.of("UTC"));
        long opens = Instant.parse("2026-05-05T08:00:00Z").toEpochMilli();
        long closes = Instant.parse("2026-05-05T09:00:00Z").toEpochMilli();

        // then
        assertThat(window.isOpen(opens - 1)).isFalse();
        assertThat(window.isOpen(opens)).isTrue();
        assertThat(window.isOpen(closes - 1)).isTrue();
        assertThat(window.isOpen(closes)).isFalse();
        assertThat(window.nextOpenMs(opens - 1)).isEqualTo(opens);
        assertThat(window.nextOpenMs(opens)).isEqualTo(opens);
    }

    /** A model that knows nothing but what a clock on the wall shows. */
    private static boolean[] openMinutes(String text) {
        String[] parts = text.split("[- ]", 3);
        int start = minuteOfDay(parts[0]);
        int end = minuteOfDay(parts[1]);
        ZoneId zone = ZoneId.of(parts[2]);
        boolean[] isOpen = new boolean[MINUTES];
        for (int minute = 0; minute < MINUTES; minute++) {
            ZonedDateTime wall =
                    Instant.ofEpochMilli(YEAR_BEGINS + minute * MINUTE).atZone(zone);
            int shown = wall.getHour() * 60 + wall.getMinute();
            isOpen[minute] = start < end ? start <= shown && shown < end : start <= shown || shown < end;
        }
        return isOpen;
    }

    private static int minuteOfDay(String time) {
        return Integer.parseInt(time.substring(0, 2)) * 60 + Integer.parseInt(time.substring(3));
    }
}
