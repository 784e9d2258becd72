package dev.ebb.runtime;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The example of {@code docker/loop}: Debezium captures a table, policies delete, and a JDBC sink deletes the rows of that
 * very table.
 */
@Timeout(240)
@Tag("F-6")
class RetentionLoopIT {

    @Test
    void shouldDeleteTheRowsOfTheTableThatDebeziumCaptures() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                        .setServerConfig("wal_level", "logical")
                        .start();
                Connection table = postgres.getPostgresDatabase().getConnection()) {
            try (var sql = table.createStatement()) {
                sql.execute(LoopStage.file("table.sql"));
                sql.execute("CREATE TABLE gone (id bigint)");
                sql.execute("CREATE FUNCTION count_gone() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN INSERT INTO gone VALUES (OLD.id); RETURN OLD; END $$");
                sql.execute("CREATE TRIGGER counted AFTER DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION count_gone()");
            }
            try (LoopStage stage = new LoopStage(table, postgres.getPort())) {
                stage.play("");
            }
        }
    }
}
