package dev.ebb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The database explains each kind of audit row in a comment of the column. */
class AuditCommentTest {

    private static final Path MIGRATIONS = Path.of("config", "sql");
    private static final String COMMENT = "COMMENT ON COLUMN retention_audit.kind IS '";

    @Test
    void shouldExplainEveryKindOfAuditRow() throws IOException {
        // given
        String last;
        try (var files = Files.list(MIGRATIONS)) {
            last = files.sorted(Comparator.comparingInt(AuditCommentTest::version))
                    .map(AuditCommentTest::text)
                    .flatMap(String::lines)
                    .filter(line -> line.startsWith(COMMENT))
                    .reduce((first, second) -> second)
                    .orElseThrow();
        }

        // then
        assertThat(last).contains(kinds());
    }

    private static int version(Path migration) {
        return Integer.parseInt(migration.getFileName().toString().replaceAll("^V|__.*$", ""));
    }

    private static List<String> kinds() throws IOException {
        String rows = Files.readString(Path.of("src/engine/main/java/dev/ebb/serde/mirror/MirrorRows.java"));
        List<String> kinds = rows.lines()
                .filter(line -> line.matches(" *private static final String [A-Z_]+ = \"[A-Z]+\";"))
                .map(line -> line.replaceAll("^[^\"]*\"|\";$", "") + ":")
                .toList();
        assertThat(kinds).contains("DELETE:", "REPAIR:");
        return kinds;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
