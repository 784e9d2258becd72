package dev.ebb.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.ProjectFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of the console are few, small, and all there. */
@Tag("C-1")
class ConsoleFilesTest {

    private static final Path SOURCES = ProjectFiles.file("src/app/main/resources/dev/ebb/api/console");
    private static final int MOST_BYTES = 250 << 10;
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^(?:import|export)\\b[^'\"=;]*\\bfrom\\s*['\"]([^'\"\\n]+)['\"];");
    private static final Pattern INLINE = Pattern.compile("<script(?![^>]*\\bsrc=)|<style|\\son\\w+=|javascript:");

    private final ConsoleFiles files = ConsoleFiles.load();

    @Test
    void shouldNameEachFileInThePage() throws IOException {
        try (Stream<Path> sources = Files.list(SOURCES)) {
            Set<String> own = sources.map(path -> path.getFileName().toString())
                    .filter(name -> !name.equals("index.html"))
                    .collect(Collectors.toCollection(TreeSet::new));

            assertThat(files.all().keySet()).containsAll(own);
        }
    }

    @Test
    void shouldImportFilesThatAreServedAndNoOthers() {
        files.all().values().stream()
                .filter(file -> file.name().endsWith(".js"))
                .forEach(file -> {
                    Set<String> imported = IMPORT.matcher(text(file))
                            .results()
                            .map(result -> result.group(1))
                            .collect(Collectors.toSet());

                    assertThat(imported).as(file.name()).allSatisfy(name -> {
                        assertThat(name).startsWith("./");
                        assertThat(files.all()).containsKey(name.substring(2));
                    });
                });
    }

    @Test
    void shouldFitIntoTwoHundredAndFiftyKibibytes() {
        int sum = files.page().gzip().length
                + files.all().values().stream()
                        .mapToInt(file -> file.gzip().length)
                        .sum();

        assertThat(sum).isLessThanOrEqualTo(MOST_BYTES);
    }

    @Test
    void shouldHaveNoScriptInThePage() {
        assertThat(text(files.page())).doesNotContainPattern(INLINE).doesNotContain("@version@", "http:", "https:");
    }

    /** C-11: whatever comes from data becomes text, by way of the library alone. */
    @Test
    @Tag("C-11")
    void shouldMakeNoMarkupOfText() throws IOException {
        try (Stream<Path> sources = Files.list(SOURCES)) {
            sources.filter(path -> path.toString().endsWith(".js")).forEach(path -> assertThat(path)
                    .content()
                    .doesNotContainPattern(
                            "innerHTML|outerHTML|insertAdjacent|document\\.write|\\beval\\(|new Function"));
        }
    }

    @Test
    void shouldChangeItsVersionWithAnyFile() {
        assertThat(files.version())
                .matches("[0-9a-f]{24}")
                .isEqualTo(ConsoleFiles.load().version());
        assertThat(text(files.page())).contains("/console/" + files.version() + "/main.js");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip, deflate, br|true",
                "br;q=1.0, gzip;q=0.8|true",
                "GZIP|true",
                "gzip;q=0|false",
                "br, gzip;q=0.0, deflate|false",
                "gzip;q=0.01|true",
                "x-gzip-like|false",
                "identity|false"
            })
    void shouldCompressForThoseWhoTakeIt(String accepted, boolean isTaken) {
        assertThat(Console.takesGzip(accepted)).isEqualTo(isTaken);
    }

    private static String text(ConsoleFile file) {
        return new String(file.plain(), StandardCharsets.UTF_8);
    }
}
