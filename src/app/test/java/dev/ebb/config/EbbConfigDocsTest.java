package dev.ebb.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EbbConfigDocsTest {

    private static final String HINT = "out of date; run dev.ebb.config.EbbConfigDocs";

    @TempDir
    private Path folder;

    @Test
    void shouldStandInTheReferenceAsDefined() throws IOException {
        assertThat(new GeneratedSection(EbbConfigDocs.SECTION).read(EbbConfigDocs.PAGE))
                .as(HINT)
                .isEqualTo(EbbConfigDocs.table());
    }

    @Test
    void shouldStandInTheFileAsDefined() throws IOException {
        assertThat(EbbConfigDocs.PROPERTIES).as(HINT).content().isEqualTo(EbbConfigDocs.properties());
    }

    @Test
    void shouldWriteAFileThatSaysTheSameAsNoFile() throws IOException {
        // given
        Path file = folder.resolve("all.properties");
        Files.writeString(
                file,
                Pattern.compile("(?m)^#(?=[a-z.]+=)")
                        .matcher(EbbConfigDocs.properties())
                        .replaceAll(""));
        var properties = new Properties();
        properties.load(Files.newBufferedReader(file));

        // when
        EbbConfig config = EbbConfig.load(ConfigSources.of(file, Map.of(), Map.of()));

        // then
        assertThat(properties.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Settings.all().stream().map(Setting::key).toList());
        Map<String, String> defaults =
                Settings.all().stream().collect(Collectors.toMap(Setting::key, Setting::standard));
        assertThat(properties).isEqualTo(defaults);
        assertThat(config.get(Settings.TOPICS_PARTITIONS)).isEqualTo(4);
    }

    @Test
    void shouldExplainEverySetting() {
        assertThat(Settings.all())
                .allSatisfy(setting -> assertThat(setting.meaning()).endsWith("."));
    }
}
