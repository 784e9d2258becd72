package dev.ebb.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the files of the connectors and fills their placeholders. {@code ${name}} is a placeholder of Ebb; {@code
 * ${provider:…}}, with a colon, is left to the worker. Stateless but for its values.
 */
final class ConnectorFiles {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> BUILT_IN =
            List.of("ebb-events.json", "ebb-executions.json", "ebb-policies.json", "ebb-audit.json");
    private static final String BUILT_IN_FOLDER = "/config/connect/";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}:]*)}");

    private final String sink;
    private final Map<String, String> values;

    /**
     * @param sink the kind of sink that the built-in connectors use, the name of their folder
     * @param values the text that stands for each placeholder
     */
    ConnectorFiles(String sink, Map<String, String> values) {
        this.sink = sink;
        this.values = Map.copyOf(values);
    }

    /**
     * Returns the connectors of a folder, in the order of their file names, or the built-in ones.
     *
     * @throws SqlMirrorException if a file cannot be read or is no connector; the message names the file
     */
    List<ConnectorConfig> read(Optional<Path> folder) {
        return folder.map(this::fromFolder).orElseGet(this::builtIn);
    }

    private List<ConnectorConfig> fromFolder(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<ConnectorConfig> configs = new ArrayList<>();
            for (Path file : files.filter(path -> path.toString().endsWith(".json"))
                    .sorted()
                    .toList()) {
                configs.add(parse(file.toString(), Files.readString(file)));
            }
            if (configs.isEmpty()) {
                throw new SqlMirrorException("no connector (*.json) in " + folder);
            }
            return configs;
        } catch (IOException e) {
            throw new SqlMirrorException("cannot read the connectors in " + folder + ": " + e.getMessage(), e);
        }
    }

    private List<ConnectorConfig> builtIn() {
        List<ConnectorConfig> configs = new ArrayList<>();
        for (String file : BUILT_IN) {
            try (InputStream in = ConnectorFiles.class.getResourceAsStream(BUILT_IN_FOLDER + sink + "/" + file)) {
                if (in == null) {
                    throw new SqlMirrorException("not on the classpath: " + BUILT_IN_FOLDER + sink + "/" + file);
                }
                configs.add(parse(file, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
            } catch (IOException e) {
                throw new SqlMirrorException("cannot read " + file, e);
            }
        }
        return configs;
    }

    ConnectorConfig parse(String file, String text) {
        try {
            JsonNode json = JSON.readTree(text);
            if (!json.path("name").isTextual() || !json.path("config").isObject()) {
                throw new SqlMirrorException(file + " has no name or no config");
            }
            Map<String, String> settings = new HashMap<>();
            json.get("config")
                    .properties()
                    .forEach(setting -> settings.put(setting.getKey(), fill(file, asText(setting.getValue()))));
            return new ConnectorConfig(fill(file, json.get("name").textValue()), settings);
        } catch (IOException e) {
            throw new SqlMirrorException(file + " is no JSON: " + e.getMessage(), e);
        }
    }

    /**
     * Returns a setting as a text: an object, such as a schema, is an object in the file and a text in the connector.
     */
    private static String asText(JsonNode value) {
        return value.isValueNode() ? value.asText() : value.toString();
    }

    private String fill(String file, String text) {
        return PLACEHOLDER.matcher(text).replaceAll(match -> Matcher.quoteReplacement(value(file, match.group(1))));
    }

    private String value(String file, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new SqlMirrorException(file + " has the unknown placeholder ${" + name + "}");
        }
        return value;
    }
}
