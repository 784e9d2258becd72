package dev.ebb.runtime;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The loop of {@link RetentionLoopIT} with a table in MariaDB, by the files of {@code docker/loop/mariadb}: Debezium reads
 * the log of changes of the server, and its JDBC sink deletes there. Skipped where MariaDB is not installed.
 */
@Timeout(300)
@Tag("F-6")
class MariaLoopSuite {

    @Test
    void shouldDeleteTheRowsOfATableOfMariaDb() throws Exception {
        assumeThat(MariaServer.isInstalled())
                .as("mariadbd and mariadb-install-db; in Debian: apt-get install mariadb-server")
                .isTrue();
        Path folder = Path.of("target", "it", "maria-" + System.currentTimeMillis());
        List<String> statements = Stream.of(LoopStage.file("mariadb/table.sql")
                        .replaceAll("\\s+", " ")
                        .split("(?<=;)"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
        try (MariaServer server = MariaServer.start(folder, statements);
                Connection table = server.connect("public")) {
            try (var sql = table.createStatement()) {
                sql.execute("CREATE TABLE gone (id bigint)");
                sql.execute(
                        "CREATE TRIGGER counted AFTER DELETE ON jobs FOR EACH ROW INSERT INTO gone VALUES (OLD.id)");
            }
            try (LoopStage stage = new LoopStage(table, server.port())) {
                stage.play("mariadb/");
            }
        }
    }
}
