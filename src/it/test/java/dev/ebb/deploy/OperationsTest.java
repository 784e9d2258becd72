package dev.ebb.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Claims of docs/operations/outages.md, as far as they can be checked without following them. */
class OperationsTest {

    private static final Path HOME = Path.of(System.getProperty("ebb.home", ""));
    private static final Path PAGE = HOME.resolve("docs/operations/outages.md");
    private static final Path SOURCES = HOME.resolve("src");
    private static final Pattern PROOF = Pattern.compile("`([A-Z]\\w+)(?:\\.(\\w+))?`");
    private static final Path FAULTS = SOURCES.resolve("it/test/java/dev/ebb/faults");
    private static final Pattern FAULT = Pattern.compile("`fault:([a-z]+)`");
    private static final int COLUMNS = 5;

    @Test
    void shouldProveEachLineOfTheTableOfOutagesByTestsThatAreThere() throws IOException {
        List<List<String>> rows = outages();
        assertThat(rows).hasSizeGreaterThan(10).allSatisfy(row -> {
            assertThat(row).hasSize(COLUMNS).doesNotContain("");
            List<String> missing = new ArrayList<>();
            long proofs = PROOF.matcher(row.get(COLUMNS - 1))
                    .results()
                    .peek(proof -> {
                        if (!isThere(proof.group(1), proof.group(2))) {
                            missing.add(proof.group());
                        }
                    })
                    .count();
            assertThat(proofs).as("tests that prove the line of " + row.get(0)).isPositive();
            assertThat(missing).as("tests of the line of " + row.get(0)).isEmpty();
        });
    }

    @Test
    void shouldNameFaultsThatTheSuiteHas() throws IOException {
        assumeTrue(Files.isDirectory(FAULTS), "the fault suite is not in this tree");
        String suite;
        try (Stream<Path> files = Files.list(FAULTS)) {
            suite = files.map(OperationsTest::text).collect(Collectors.joining());
        }
        assertThat(FAULT.matcher(Files.readString(PAGE)).results().map(fault -> "return \"" + fault.group(1) + "\";"))
                .isNotEmpty()
                .allMatch(suite::contains);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldNoticeATestThatIsNotThere() {
        assertThat(isThere("OperationsTest", "shouldNoticeATestThatIsNotThere")).isTrue();
        assertThat(isThere("OperationsTest", "shouldNotBeThere")).isFalse();
        assertThat(isThere("OperationsTestThatIsNotThere", null)).isFalse();
    }

    /** The rows of the table, without its head. */
    private static List<List<String>> outages() throws IOException {
        return Files.readString(PAGE)
                .lines()
                .filter(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> Stream.of(line.substring(1, line.length() - 1).split("\\|", -1))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private static boolean isThere(String type, String method) {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            Path file = files.filter(path -> path.toString().contains("/test/java/"))
                    .filter(path -> path.endsWith(type + ".java"))
                    .findFirst()
                    .orElse(null);
            return file != null && (method == null || text(file).contains(" " + method + "("));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
