package dev.ebb.serde.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.domain.policy.FieldType;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.PolicySource;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.Sourced;
import dev.ebb.model.Policies;
import dev.ebb.model.PolicySamples;
import dev.ebb.model.ProjectFiles;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.schemas.BackgroundSchemas;
import dev.ebb.serde.text.PolicyFile;
import dev.ebb.serde.text.PolicyJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each field of a policy is in all places that hold policies, and only these fields are. */
class PolicyFieldCatalogueTest {

    private static final Duration WAIT = Duration.ofMillis(200);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Columns that hold no field: the scope, the record, and the policy as people write it. */
    private static final Set<String> OTHER_COLUMNS = Set.of("scope", "version", "built_in", "updated_at", "policy");

    private static final Pattern TABLE = Pattern.compile("(?s)(?:CREATE|ALTER) TABLE retention_policy\\b[^;]*;");
    private static final Pattern COLUMN = Pattern.compile("(?m)^ +(?:ADD COLUMN )?(\\w+) +(text|bigint|boolean)\\b");

    private static final AvroRecords RECORDS = AvroClasses.records(
            new InMemorySchemaRegistry(), new BackgroundSchemas.Patience(WAIT, WAIT, WAIT, WAIT, WAIT));

    @BeforeAll
    static void prepare() {
        RECORDS.prepare();
    }

    @AfterAll
    static void close() {
        RECORDS.close();
    }

    static List<PolicyField<?>> fields() {
        return PolicyField.ALL;
    }

    static Stream<PolicyField<?>> inheritedFields() {
        return PolicyField.ALL.stream().filter(PolicyField::isInherited);
    }

    @ParameterizedTest
    @MethodSource("fields")
    void shouldHaveAFieldInTheSchemaOfRecords(PolicyField<?> field) throws IOException {
        // when
        JsonNode types = schemaFields().get(field.fieldName());

        // then
        assertThat(types).as("a field of RetentionPolicy.avsc").isNotNull();
        assertThat(types)
                .hasToString(
                        switch (field.type().written()) {
                            case TEXT -> "[\"null\",\"string\"]";
                            case NUMBER -> "[\"null\",\"long\",\"string\"]";
                            case TRUTH -> "[\"null\",\"boolean\"]";
                        });
    }

    @ParameterizedTest
    @MethodSource("fields")
    void shouldHaveAColumn(PolicyField<?> field) {
        assertThat(columns())
                .containsEntry(
                        field.column(),
                        switch (field.type().column()) {
                            case TEXT -> "text";
                            case NUMBER -> "bigint";
                            case TRUTH -> "boolean";
                        });
    }

    @ParameterizedTest
    @MethodSource("fields")
    void shouldHaveAFieldInTheRowsOfTheSink(PolicyField<?> field) throws IOException {
        assertThat(sinkFields())
                .containsEntry(
                        field.column(),
                        switch (field.type().column()) {
                            case TEXT -> "string";
                            case NUMBER -> "int64";
                            case TRUTH -> "boolean";
                        });
    }

    @Test
    void shouldBeKeptNowhereWithoutAnEntryInTheCatalogue() throws IOException {
        // given
        Set<String> names = names(PolicyField::fieldName, Set.of("scope"));
        Set<String> columns = names(PolicyField::column, OTHER_COLUMNS);

        // then
        assertThat(schemaFields().keySet()).isEqualTo(names);
        assertThat(sinkFields().keySet()).isEqualTo(columns);
        columns.removeAll(Set.of("updated_at", "policy"));
        assertThat(columns().keySet()).isEqualTo(columns);
    }

    @ParameterizedTest
    @MethodSource("fields")
    void shouldComeBackFromFilesAndJsonAsItWasWritten(PolicyField<?> field) {
        for (Object written : PolicySamples.of(field)) {
            // given
            RetentionPolicy policy = PolicySamples.policy(field, written);
            JsonNode json = PolicyJson.write(policy);

            // when
            String file = "{\"policies\": [" + json + "]}";

            // then
            assertThat(PolicyJson.read(json, policy.scope()).policy()).contains(policy);
            assertThat(PolicyFile.read(file).policies()).containsExactly(policy);
        }
    }

    @ParameterizedTest
    @MethodSource("fields")
    void shouldComeBackFromARecordAsItWasWritten(PolicyField<?> field) {
        for (Object written : PolicySamples.of(field)) {
            // given
            RetentionPolicy policy = PolicySamples.policy(field, written);

            // when
            DecodedPolicy decoded = RECORDS.readPolicy(policy.scope().toString(), RECORDS.policy(policy));

            // then
            assertThat(decoded).isInstanceOfSatisfying(DecodedPolicy.Policy.class, read -> assertThat(read.policy())
                    .isEqualTo(policy));
        }
    }

    @ParameterizedTest
    @MethodSource("fields")
    void shouldBeInTheRowThatTheSinkWrites(PolicyField<?> field) throws IOException {
        for (Object written : PolicySamples.of(field)) {
            // given
            RetentionPolicy policy = PolicySamples.policy(field, written);

            // when
            JsonNode value = JSON.readTree(new MirrorRows().policyRow(policy, 1L, false, 1))
                    .path(field.column());

            // then
            assertThat(value.asText()).isEqualTo(columnOf(field, policy).toString());
            assertThat(value.isTextual()).isEqualTo(field.type().column() == FieldType.Form.TEXT);
            assertThat(value.isBoolean()).isEqualTo(field.type().column() == FieldType.Form.TRUTH);
        }
    }

    @ParameterizedTest
    @MethodSource("inheritedFields")
    void shouldBeInheritedFromTheWidestScope(PolicyField<?> field) {
        for (Object written : PolicySamples.of(field)) {
            // given
            PolicySet policies = Policies.setOf(wide(field, written));

            // then
            assertThat(policies.effectiveIn(null).get(field))
                    .isEqualTo(new Sourced<>(field.type().read(written), new PolicySource(Scope.ALL, 0L)));
        }
    }

    @ParameterizedTest
    @MethodSource("inheritedFields")
    <T> void shouldNeverLetMoreBeDeletedByWhatWasInForceBefore(PolicyField<T> field) {
        for (Object written : PolicySamples.of(field)) {
            // given
            T value = field.type().read(written);

            // then
            assertThat(field.canDeleteMore(value, value)).isFalse();
        }
    }

    private static <T> RetentionPolicy wide(PolicyField<T> field, Object written) {
        return RetentionPolicy.of(Scope.ALL)
                .set(field, field.type().read(written))
                .build();
    }

    private static <T> Object columnOf(PolicyField<T> field, RetentionPolicy policy) {
        T value = policy.get(field);
        assertThat(value).isNotNull();
        return field.type().toColumn(value);
    }

    private static Set<String> names(Function<PolicyField<?>, String> name, Set<String> others) {
        return Stream.concat(PolicyField.ALL.stream().map(name), others.stream())
                .collect(Collectors.toSet());
    }

    private static Map<String, JsonNode> schemaFields() throws IOException {
        return elements(read(ProjectFiles.file("schemas/RetentionPolicy.avsc")).path("fields"))
                .collect(Collectors.toMap(node -> node.path("name").asText(), node -> node.path("type")));
    }

    private static Map<String, String> sinkFields() throws IOException {
        JsonNode value = read(ProjectFiles.file("config/connect/debezium/ebb-policies.json"))
                .at("/config/value.converter.schema.content/fields");
        return elements(value)
                .collect(Collectors.toMap(node -> node.path("field").asText(), node -> node.path("type")
                        .asText()));
    }

    private static Map<String, String> columns() {
        Map<String, String> columns = new HashMap<>();
        try (Stream<Path> migrations = Files.list(ProjectFiles.file("config/sql"))) {
            for (Path migration : migrations.toList()) {
                Matcher tables = TABLE.matcher(Files.readString(migration));
                while (tables.find()) {
                    Matcher column = COLUMN.matcher(tables.group());
                    while (column.find()) {
                        columns.put(column.group(1), column.group(2));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return columns;
    }

    private static JsonNode read(Path file) throws IOException {
        return JSON.readTree(file.toFile());
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
