package dev.ebb.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the documentation of settings from their definitions: {@code config/ebb.properties} and the table in {@code
 * docs/reference/settings.md}. Run it in the project's folder after a change of {@link Settings}.
 */
public final class EbbConfigDocs {

    static final Path PROPERTIES = Path.of("config", "ebb.properties");
    static final Path PAGE = Path.of("docs", "reference", "settings.md");
    static final String SECTION = "settings";

    private static final int LINE_LENGTH = 100;

    private EbbConfigDocs() {}

    /** Writes both files. */
    public static void main(String[] args) throws IOException {
        Files.writeString(PROPERTIES, properties());
        new GeneratedSection(SECTION).write(PAGE, table());
    }

    /** Returns a properties file with every setting, described and with its default commented out. */
    static String properties() {
        return """
                # Every setting of Ebb with its default.
                #
                # A setting is taken from the strongest source that names it:
                #   built-in default < this file (--config FILE or EBB_CONFIG) < environment < flags (--set key=value).
                # The environment variable of a setting is EBB_ and its key in upper case, with underscores for dots.
                # Durations are written as 500ms, 15m, 24h, 30d or P30D, sizes as numbers of bytes.
                # An unknown key or a bad value keeps Ebb from starting.
                #
                # kafka.<key>                passes <key> to every Kafka client, for example kafka.security.protocol=SSL
                # schema.registry.<key>      passes the key to the client of the schema registry
                # <any>.password.file        names a file that holds the value of <any>.password
                # <any>.secret.file          names a file that holds the value of <any>.secret
                #
                # This file is written by dev.ebb.config.EbbConfigDocs.
                """ + groups().stream().map(EbbConfigDocs::propertiesOf).collect(Collectors.joining());
    }

    /** Returns the settings as tables in Markdown, one for each group. */
    static String table() {
        return groups().stream().map(EbbConfigDocs::tableOf).collect(Collectors.joining("\n"));
    }

    private static List<String> groups() {
        return Settings.all().stream().map(Setting::group).distinct().toList();
    }

    private static List<Setting<?>> settingsOf(String group) {
        return Settings.all().stream()
                .filter(setting -> setting.group().equals(group))
                .toList();
    }

    private static String propertiesOf(String group) {
        return "\n\n# " + group + "\n# " + "-".repeat(group.length()) + "\n"
                + settingsOf(group).stream().map(EbbConfigDocs::propertyOf).collect(Collectors.joining());
    }

    private static String propertyOf(Setting<?> setting) {
        return "\n" + comment(setting.meaning()) + "# (" + setting.kind() + ")\n#" + setting.key() + "="
                + setting.standard() + "\n";
    }

    private static String comment(String text) {
        var lines = new StringBuilder("#");
        int length = 1;
        for (String word : text.split(" ", -1)) {
            if (length + word.length() >= LINE_LENGTH) {
                lines.append("\n#");
                length = 1;
            }
            lines.append(' ').append(word);
            length += word.length() + 1;
        }
        return lines.append('\n').toString();
    }

    private static String tableOf(String group) {
        return "**" + group + "**\n\n| setting | default | type | meaning |\n|---|---|---|---|\n"
                + settingsOf(group).stream().map(EbbConfigDocs::rowOf).collect(Collectors.joining());
    }

    private static String rowOf(Setting<?> setting) {
        String value = setting.standard().isEmpty() ? "" : "`" + setting.standard() + "`";
        return "| `" + setting.key() + "` | " + value + " | " + setting.kind() + " | " + setting.meaning() + " |\n";
    }
}
