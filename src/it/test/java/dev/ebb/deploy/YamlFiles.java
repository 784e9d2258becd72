package dev.ebb.deploy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of {@code docker/} as trees. */
final class YamlFiles {

    static final Path DOCKER = Path.of(System.getProperty("ebb.home", ""), "docker");

    /** A name, perhaps with a path before it, and a tag that is not the moving one. */
    static final Pattern PINNED = Pattern.compile("[a-z0-9./-]+:(?!latest$)[A-Za-z0-9._-]+");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private YamlFiles() {}

    /** All documents of a file. */
    static List<JsonNode> documents(Path file) {
        try (JsonParser parser = YAML.createParser(file.toFile())) {
            List<JsonNode> documents = new ArrayList<>();
            YAML.readerFor(JsonNode.class).<JsonNode>readValues(parser).forEachRemaining(documents::add);
            return documents;
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    /** A file with anchors and merged maps, which are a matter of YAML and not of JSON. */
    static JsonNode merged(Path file) {
        try (var reader = Files.newBufferedReader(file)) {
            Map<String, Object> tree = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
            return JSON.valueToTree(tree);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    static Stream<JsonNode> elements(JsonNode node) {
        List<JsonNode> elements = new ArrayList<>();
        node.elements().forEachRemaining(elements::add);
        return elements.stream();
    }
}
