package dev.ebb.api.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.port.MirrorCheck.What;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that no record can address: the reason, and the statement that a person runs. */
@Tag("A-15")
class ByHandTest {

    @Test
    void shouldEscapeANameSoThatNothingOfItRuns() {
        // given
        Difference row =
                event("evil/\u001b[31m'; DROP TABLE event; --\\", "2026-11-28T10:00:00.123456Z", "\uD83D\uDE00\u202E'");

        // then
        assertThat(ByHand.of(row))
                .isEqualTo(new ByHand(
                        "its stream must not contain control characters, so no record can address the row",
                        "DELETE FROM event WHERE stored_at = '2026-11-28 10:00:00.123456+00' AND stream ="
                                + " E'evil/\\u001b[31m''; DROP TABLE event; --\\\\' AND event_id ="
                                + " E'\\U0001f600\\u202e''';"));
    }

    @ParameterizedTest
    @CsvSource({
        "+1000000000-12-31T23:59:59.999999999Z, infinity",
        "-1000000000-01-01T00:00:00Z, -infinity",
        "+294276-12-31T23:59:59.999999Z, ",
        "1969-12-31T23:59:59.999999Z, "
    })
    void shouldNameTimesThatNoRecordCanHave(String storedAt, String inSql) {
        // when
        ByHand found = ByHand.of(event("s", storedAt, "e"));

        // then
        assertThat(found == null).isEqualTo(inSql == null);
        if (found != null) {
            assertThat(found.sql()).contains("stored_at = '" + inSql + "'");
        }
    }

    @Test
    void shouldLeaveToTheRepairWhatARecordCanAddress() {
        assertThat(ByHand.of(event("s", "2026-11-28T10:00:00.123456Z", "\u001b")))
                .isNull();
        assertThat(ByHand.of(execution("s"))).isNull();
    }

    @Test
    void shouldNameExecutionsOfSuchStreams() {
        assertThat(ByHand.of(execution(" s")))
                .isEqualTo(new ByHand(
                        "its stream must not begin or end with a blank, so no record can address the row",
                        "DELETE FROM execution WHERE stream = E' s' AND execution = 7;"));
    }

    private static Difference event(String stream, String storedAt, String id) {
        return new Difference(stream, new RowKey(storedAt, id), null, What.TOO_MANY_IN_SQL, List.of(), "", false);
    }

    private static Difference execution(String stream) {
        return new Difference(stream, null, 7L, What.TOO_MANY_IN_SQL, List.of(), "", false);
    }
}
