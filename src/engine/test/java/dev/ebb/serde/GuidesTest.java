package dev.ebb.serde;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.serde.text.PolicyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies in the guides, which people copy: each must be a file that means something. */
class GuidesTest {

    private static final Pattern YAML = Pattern.compile("(?ms)^ *```yaml\\n(.*?)^ *```");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/ttl-guide.md", "docs/migration.md"})
    void shouldShowPolicyFilesWithoutFaults(String guide) throws IOException {
        // given
        List<String> files = YAML.matcher(Files.readString(Path.of(guide)))
                .results()
                .map(GuidesTest::text)
                .toList();

        // when / then
        assertThat(files).isNotEmpty().allSatisfy(file -> assertThat(
                        PolicyFile.read(file).problems())
                .as(file)
                .filteredOn(GuidesTest::isFaultOfTheGuide)
                .isEmpty());
    }

    /** The guides are ahead of what this version takes. */
    private static boolean isFaultOfTheGuide(PolicyFile.Problem problem) {
        return !problem.toString().endsWith("not supported yet");
    }

    /** A block in a list is indented. */
    private static String text(MatchResult block) {
        return block.group(1).stripIndent();
    }
}
