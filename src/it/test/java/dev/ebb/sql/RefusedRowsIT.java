package dev.ebb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.sql.RefusedRows.Refused;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the application reads of the rows that the database has refused. */
@Tag("O-24")
@Timeout(120)
class RefusedRowsIT {

    @Test
    void shouldCountAndNameRefusedRows() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            // given
            DataSource database = postgres.getPostgresDatabase();
            new Migrations(database).migrate();
            RefusedRows refused = new RefusedRows(database);
            refused.look();
            assertThat(refused.counts()).isEmpty();
            assertThat(refused.reason()).isEmpty();

            // when
            add(database, "ebb-events", "1", "2026-11-28T10:00:00.001Z");
            add(database, "ebb-events", "2", "2026-11-28T10:00:00.003Z");
            add(database, "ebb-audit", "1", "2026-11-28T10:00:00.002Z");
            refused.look();

            // then
            assertThat(refused.counts()).isEqualTo(Map.of("ebb-events", 2L, "ebb-audit", 1L));
            assertThat(refused.reason()).isEqualTo("too long (54000)");
            assertThat(refused.read(2))
                    .as("the newest first")
                    .containsExactly(
                            new Refused(
                                    "event",
                                    "{\"stream\":\"2\"}",
                                    "too long (54000)",
                                    false,
                                    "2026-11-28T10:00:00.003Z",
                                    "mirror.events-3@7",
                                    3),
                            new Refused(
                                    "event",
                                    "{\"stream\":\"1\"}",
                                    "too long (54000)",
                                    false,
                                    "2026-11-28T10:00:00.002Z",
                                    "mirror.events-3@7",
                                    3));
            execute(database, "TRUNCATE mirror_refused");
            refused.look();
            assertThat(refused.counts()).isEmpty();
            assertThat(refused.read(2)).isEmpty();
        }
    }

    private static void add(DataSource database, String connector, String key, String at) throws SQLException {
        execute(
                database,
                "INSERT INTO mirror_refused VALUES ('" + connector + "', '" + key + "', 'event', '{\"stream\":\"" + key
                        + "\"}', false, '54000', 'too long (54000)', 'mirror.events', 3, 7, '" + at + "')");
    }

    private static void execute(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
