package dev.ebb.serde;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.ebb.serde.text.PolicyFile;
import dev.ebb.serde.text.PolicyFileSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The published schema against the catalogue that it is made from, and against files that Ebb takes and refuses. */
@Tag("R-13")
class PolicySchemaTest {

    private static final Path HOME = Path.of(System.getProperty("ebb.home", ""));
    private static final Path PUBLISHED = HOME.resolve("schemas/policies.schema.json");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Pattern EXAMPLE =
            Pattern.compile("(?s)```yaml\\n((?:# [^\\n]*\\n)?(?:policies|sources):.*?)```");

    private final JsonSchema schema =
            JsonSchemaFactory.getInstance(VersionFlag.V7).getSchema(PolicyFileSchema.schema());

    @Test
    void shouldBePublishedAsItIs() throws IOException {
        assertThat(JSON.readTree(PUBLISHED.toFile()))
                .as("out of date; ebb policy schema > schemas/policies.schema.json")
                .isEqualTo(JSON.readTree(PolicyFileSchema.schema().toString()));
    }

    @Test
    void shouldTakeTheExamplesOfThePages() throws IOException {
        for (String page : List.of("README.md", "docs/ttl-guide.md", "docs/semantics/policies.md", "docs/sources.md")) {
            List<String> examples = EXAMPLE.matcher(Files.readString(HOME.resolve(page)))
                    .results()
                    .map((MatchResult match) -> match.group(1))
                    .toList();
            assertThat(examples)
                    .allSatisfy(example -> assertThat(faults(example)).as(page).isEmpty());
        }
    }

    /** Each is right for Ebb as well. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "policies: []",
                "policies: [{scope: '*', maxAge: 1ms}]",
                "policies: [{scope: '*', maxAge: P30D}, {scope: 'namespace:a', maxAge: 2 w}]",
                "policies: [{scope: 'stream:a/b', maxCount: 1}, {scope: 'pattern:cache', maxCount: '7'}]",
                "policies: [{scope: 'namespace:a', maxBytes: unlimited, keepLast: None, minAge: none, anchor: completed}]",
                "policies: [{scope: 'namespace:a', maxAge: 1d, window: '22:00-06:00 Europe/Berlin', mode: warn}]",
                "policies: []\nholds: [{case: L-1, covers: '*', reason: r}, {case: L-2, covers: 'stream:a'}]",
                "sources: []",
                "sources: [{name: a, topic: t, as: table, stream: 'a/{key}'}]",
                "sources: [{name: a, topic: t, as: log, stream: a, id: '{record.offset}', key: bytes, value: avro, "
                        + "keep: payload, from: latest, target: truncate, paused: true}]",
                "sources: [{name: a, topic: t, as: table, stream: 'a/{value.x.y}', status: {from: value.s, map: {A: "
                        + "completed}}, occurredAt: value.at, expiresAt: {from: value.at, unit: days, plus: 3d}, "
                        + "metadata: {user: header.u.v}, target: {tombstones: {topic: t.deletes}}}]",
                "sources: [{name: a, topic: t, as: table, stream: a, value: {converter: a.B$C, options: {n: 1, b: true}, "
                        + "transforms: [{type: d.E, options: {x: y}}]}, target: {tombstones: same}}]"
            })
    void shouldTakeWhatEbbTakes(String file) throws IOException {
        assertThat(PolicyFile.read(file).isFaulty())
                .as(PolicyFile.read(file).problems().toString())
                .isFalse();
        assertThat(faults(file)).isEmpty();
    }

    /** Each is wrong for Ebb as well. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "holds: []",
                "policies: [{maxAge: 30d}]",
                "policies: [{scope: 'nowhere', maxAge: 30d}]",
                "policies: [{scope: '*', maxAges: 30d}]",
                "policies: [{scope: '*', maxAge: 30}]",
                "policies: [{scope: '*', maxAge: 30 days}]",
                "policies: [{scope: '*', maxAge: none}]",
                "policies: [{scope: '*', maxCount: 0}]",
                "policies: [{scope: '*', maxCount: 1.5}]",
                "policies: [{scope: '*', keepLast: unlimited}]",
                "policies: [{scope: '*', maxAge: 1d, anchor: born}]",
                "policies: [{scope: '*', maxAge: 1d, archive: 'yes'}]",
                "policies: []\nholds: [{case: L-1, covers: 'pattern:cache'}]",
                "policies: []\nholds: [{covers: '*'}]",
                "policy: []",
                "source: []",
                "sources: [{topic: t, as: table, stream: a}]",
                "sources: [{name: a, topic: 't/1', as: table, stream: a}]",
                "sources: [{name: a, topic: t, as: tables, stream: a}]",
                "sources: [{name: a, topic: t, as: table, stream: a, keeps: payload}]",
                "sources: [{name: a, topic: t, as: table, stream: a, value: xml}]",
                "sources: [{name: a, topic: t, as: table, stream: a, value: {convert: A}}]",
                "sources: [{name: a, topic: t, as: table, stream: a, correlationId: values.x}]",
                "sources: [{name: a, topic: t, as: table, stream: a, status: {from: value.s}}]",
                "sources: [{name: a, topic: t, as: table, stream: a, occurredAt: {from: value.a, unit: weeks}}]",
                "sources: [{name: a, topic: t, as: table, stream: a, occurredAt: {from: value.a, plus: 3d}}]",
                "sources: [{name: a, topic: t, as: table, stream: a, target: {tombstones: other}}]",
                "sources: [{name: a, topic: t, as: table, stream: a, paused: 'yes'}]"
            })
    void shouldRefuseWhatEbbRefuses(String file) throws IOException {
        assertThat(PolicyFile.read(file).isFaulty()).isTrue();
        assertThat(faults(file)).isNotEmpty();
    }

    private Set<ValidationMessage> faults(String file) throws IOException {
        JsonNode tree = YAML.readTree(file);
        return schema.validate(tree);
    }
}
