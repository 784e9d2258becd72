package dev.ebb.api.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.port.MirrorCheck.What;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The statements that a person runs for rows that no record can address, run by PostgreSQL. */
@Tag("A-15")
@Timeout(120)
class ByHandIT {

    private static final List<String> STREAMS = List.of(
            "", " ", "evil/\u001b[31m", "'; DROP TABLE event; --\n", "\\' OR true --\t", "😀\u202E\\x\u007f", "\u0085");
    private static final Map<String, String> TIMES = Map.of(
            "infinity", "+1000000000-12-31T23:59:59.999999999Z",
            "-infinity", "-1000000000-01-01T00:00:00Z",
            "2026-11-28 10:00:00.123456+00", "2026-11-28T10:00:00.123456Z",
            "20260-01-01 00:00:00+00", "+20260-01-01T00:00:00Z",
            "0044-03-15 00:00:00+00 BC", "-0043-03-15T00:00:00Z");

    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void shouldDeleteExactlyTheRowThatIsNamed(String standardStrings) throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start();
                Connection connection = postgres.getPostgresDatabase().getConnection()) {
            // given
            execute(connection, "CREATE TABLE event (stored_at timestamptz, stream text, event_id text)");
            execute(connection, "SET standard_conforming_strings = " + standardStrings);
            execute(connection, "SET TimeZone = 'Asia/Kolkata'");
            for (String stream : STREAMS) {
                for (String time : TIMES.keySet()) {
                    insert(connection, time, stream);
                    insert(connection, time, stream + "x");
                }
            }

            // when / then
            for (String stream : STREAMS) {
                for (String instant : TIMES.values()) {
                    ByHand way = ByHand.of(new Difference(
                            stream, new RowKey(instant, stream), null, What.TOO_MANY_IN_SQL, List.of(), "", false));
                    assertThat(way).isNotNull();
                    try (var statement = connection.createStatement()) {
                        assertThat(statement.executeUpdate(way.sql()))
                                .as(way.sql())
                                .isEqualTo(1);
                    }
                }
            }
        }
    }

    @Test
    void shouldHoldPrintableAsciiOnly() {
        for (String stream : STREAMS) {
            assertThat(ByHand.literal(stream)).matches("[ -~]*");
        }
    }

    private static void insert(Connection connection, String time, String stream) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO event VALUES (?::timestamptz, ?, ?)")) {
            insert.setString(1, time);
            insert.setString(2, stream);
            insert.setString(3, stream);
            insert.executeUpdate();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
