package dev.ebb.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.serde.text.PolicyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files on the page of sources, which people copy. */
@Tag("F-1")
class RecipesTest {

    private static final Pattern FILE = Pattern.compile("```yaml\\n(sources:.*?)```", Pattern.DOTALL);

    @Test
    void shouldBeFilesWithoutAFault() throws IOException {
        // given
        String page = Files.readString(Path.of("docs", "sources.md"));
        List<String> files = FILE.matcher(page)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();

        // then
        assertThat(files).hasSizeGreaterThan(4).allSatisfy(file -> {
            PolicyFile read = PolicyFile.read(file);
            assertThat(read.problems()).as(file).isEmpty();
            assertThat(read.sources()).isNotEmpty();
        });
    }
}
