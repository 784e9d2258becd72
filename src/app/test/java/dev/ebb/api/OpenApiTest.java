package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.events.EventView;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandKind;
import dev.ebb.domain.command.CommandProgress;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.Scope;
import dev.ebb.serde.text.HoldJson;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.commands.CommandRoute;
import dev.ebb.wire.commands.PreparedView;
import dev.ebb.wire.policies.HoldView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("O-17")
class OpenApiTest {

    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    private JsonNode document;

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final ApiClient client = api.client;

    @BeforeEach
    void start() {
        document = client.get("/openapi.json").json();
    }

    @Test
    void shouldDescribeEveryRouteAndNoOther() {
        // when
        Set<String> described = new TreeSet<>();
        document.path("paths").properties().forEach(path -> path.getValue()
                .fieldNames()
                .forEachRemaining(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));

        // then
        assertThat(described).containsExactlyInAnyOrderElementsOf(LoneServer.served(api.server));
        assertThat(described).contains("GET /openapi.json", "PATCH /v1/streams/{stream}/events/{id}");
    }

    @Test
    void shouldServeARouteForEveryCommand() {
        for (CommandKind<?> kind : Command.Kinds.LIST) {
            CommandRoute route = CommandRoute.of(kind);
            assertThat(LoneServer.served(api.server)).as(kind.verb()).contains(route.method() + " " + route.path());
        }
        assertThat(document.at("/components/schemas/CommandFields/properties/verb/enum"))
                .extracting(JsonNode::asText)
                .containsExactlyElementsOf(
                        Command.Kinds.LIST.stream().map(CommandKind::verb).toList());
    }

    @Test
    void shouldDescribeTheParametersThatRoutesKnow() {
        for (ApiRoute route : LoneServer.routes(api.server)) {
            if (route.method().name().equals("GET")
                    && !route.path().equals("/metrics")
                    && !route.path().startsWith("/health")) {
                // when
                JsonNode problem = client.get(pathOf(route) + "?nonsense=1").json();

                // then
                List<String> described = new ArrayList<>();
                operation(route).path("parameters").forEach(parameter -> {
                    if (parameter.path("in").asText().equals("query")) {
                        described.add(parameter.path("name").asText());
                    }
                });
                assertThat(known(problem)).as(route.path()).containsExactlyInAnyOrderElementsOf(described);
            }
        }
    }

    @Test
    void shouldSayWhichParametersMustBeNamed() {
        Set<String> found = new TreeSet<>();
        for (ApiRoute route : LoneServer.routes(api.server)) {
            if (route.method().name().equals("GET") && route.path().startsWith("/v1") && isJson(route)) {
                // when
                JsonNode answer = client.get(pathOf(route)).json();

                // then
                Set<String> missed = new TreeSet<>();
                answer.path("problems")
                        .forEach(fault -> missed.add(fault.path("where").asText()));
                Set<String> required = new TreeSet<>();
                operation(route).path("parameters").forEach(parameter -> {
                    if (parameter.path("in").asText().equals("query")
                            && parameter.path("required").asBoolean()) {
                        required.add(parameter.path("name").asText());
                    }
                });
                assertThat(required).as(route.path()).containsAll(missed);
                found.addAll(required);
            }
        }
        assertThat(found).containsExactly("expiring-within", "from", "to", "where");
    }

    /** A stream of news does not end soon. */
    private static boolean isJson(ApiRoute route) {
        return route.answers().stream()
                .allMatch(answer -> answer.content().mediaType().equals(ApiJson.MEDIA_TYPE));
    }

    @Test
    void shouldRequireNoFieldThatMayBeLeftOut() {
        JsonNode problem = document.at("/components/schemas/Problem");

        assertThat(problem.path("required").toString())
                .contains("\"status\"")
                .doesNotContain("\"problems\"", "\"restoring\"");
        assertThat(problem.path("properties").has("restoring")).isTrue();
    }

    @Test
    void shouldBeAnOpenApiDocument() {
        // then
        assertThat(document.path("openapi").asText()).isEqualTo("3.1.0");
        assertThat(document.at("/info/title").asText()).isEqualTo("Ebb");
        Set<String> operationIds = new HashSet<>();
        document.path("paths").properties().forEach(path -> {
            assertThat(path.getKey()).startsWith("/");
            path.getValue().properties().forEach(operation -> {
                assertThat(METHODS).contains(operation.getKey());
                assertOperation(path.getKey(), operation.getValue());
                assertThat(operationIds.add(
                                operation.getValue().path("operationId").asText()))
                        .as("twice: " + operation.getValue().path("operationId"))
                        .isTrue();
            });
        });
    }

    @Test
    void shouldDefineEverySchemaThatItRefersTo() {
        // when
        Set<String> references = new TreeSet<>(document.findValuesAsText("$ref"));

        // then
        assertThat(references).isNotEmpty();
        references.forEach(
                reference -> assertThat(document.at(reference.substring(1)).isObject())
                        .as(reference)
                        .isTrue());
    }

    @Test
    void shouldTellNullableFieldsFromRequiredOnes() {
        // when
        JsonNode stream = document.at("/components/schemas/Stream");
        JsonNode problem = document.at("/components/schemas/Problem");

        // then
        assertThat(stream.at("/properties/events/type").asText()).isEqualTo("integer");
        assertThat(stream.at("/properties/oldest/type").toString()).isEqualTo("[\"string\",\"null\"]");
        assertThat(problem.path("required").toString()).contains("detail").doesNotContain("problems");
        assertThat(document.at("/components/schemas/StreamEvents/properties/events/items/$ref")
                        .asText())
                .isEqualTo("#/components/schemas/Event");
    }

    @Test
    void shouldNameTheFieldsOfAPolicyAndAnEvent() {
        // given
        FakePorts ports = new FakePorts().store("s", "1", "text/plain", new byte[] {'x'}, false);
        JsonNode event = ApiJson.tree(
                EventView.of(ports.stored.values().iterator().next().get(0), true));

        // then
        JsonNode policy = document.at("/components/schemas/Policy/properties");
        assertThat(policy.fieldNames())
                .toIterable()
                .containsAll(
                        PolicyField.ALL.stream().map(PolicyField::fieldName).toList())
                .hasSize(PolicyField.ALL.size() + 1);
        assertThat(policy.path("maxAge").toString())
                .startsWith("{\"type\":\"string\",\"examples\":[\"30d\",\"unlimited\"]");
        assertThat(policy.path("maxCount").toString())
                .startsWith("{\"type\":[\"integer\",\"string\"],\"examples\":[1000,\"unlimited\"]");
        assertThat(policy.path("anchor").toString())
                .startsWith("{\"type\":\"string\",\"enum\":[\"stored\",\"occurred\",\"completed\"]");
        assertThat(policy.path("archive").toString()).startsWith("{\"type\":\"boolean\",\"description\":");
        assertThat(document.at("/components/schemas/Event/properties").fieldNames())
                .toIterable()
                .containsAll(() -> event.fieldNames());
    }

    /** A client that is generated from the document has types for all requests and answers. */
    @Test
    void shouldDescribeTheInsideOfEverySchema() {
        document.at("/components/schemas").properties().forEach(schema -> {
            JsonNode inside = schema.getValue();
            assertThat(inside.has("properties")
                            || inside.has("additionalProperties")
                            || inside.has("oneOf")
                            || inside.has("anyOf"))
                    .as(schema.getKey())
                    .isTrue();
        });
    }

    @Test
    void shouldNameTheFieldsOfHoldsAndCommandsAndTheirResults() throws IOException {
        // given
        Hold hold = new Hold("LIT-1", Scope.ALL, "why", "anna", 5);
        CommandResult result = new CommandResult(
                "c-1",
                "undo",
                CommandResult.State.DONE,
                null,
                "",
                false,
                Undone.NOTHING,
                new PlanOutcome("c-1", "eva", 1, 2, PlanDigest.NOTHING, PlanDigest.NOTHING, Map.of()),
                new CommandProgress(1, 2),
                Instant.ofEpochMilli(1),
                Instant.ofEpochMilli(2),
                "");

        // then
        JsonNode schemas = document.at("/components/schemas");
        assertThat(fields(schemas.path("Hold"))).isEqualTo(names(HoldJson.write(hold)));
        assertThat(fields(schemas.path("Hold"))).isEqualTo(names(ApiJson.tree(HoldView.of(hold))));
        assertThat(fields(schemas.path("HoldInput"))).isEqualTo(names(HoldJson.write(hold)));
        PreparedView prepared = new PreparedView(List.of(new PreparedView.Placed("LIT-1", "*")), null, 5);
        CommandResultView view = new CommandResultView(result, prepared);
        assertThat(fields(schemas.path("CommandResult"))).isEqualTo(names(ApiJson.tree(view)));
        assertThat(fields(schemas.path("CommandProgress"))).isEqualTo(names(ApiJson.tree(result.progress())));
        assertThat(fields(schemas.path("OutcomeUndone")))
                .isEqualTo(names(ApiJson.tree(view).path("outcome")));
        assertThat(fields(schemas.path("Prepared"))).isEqualTo(names(ApiJson.tree(prepared)));
        assertThat(fields(schemas.path("PlanOutcome"))).isEqualTo(names(ApiJson.tree(result.plan())));
        assertThat(schemas.at("/OutcomeDeleted/properties/eventsDeleted/description")
                        .asText())
                .isEqualTo("Deleted events, protected events included; 0 in a dry run.");
        assertThat(schemas.at("/OutcomeDeleted/properties/kind/const").asText()).isEqualTo("deleted");
        Set<String> command = new TreeSet<>(Set.of("ttl"));
        ApiJson.parse(Files.readString(Path.of("schemas", "Command.avsc")))
                .path("fields")
                .forEach(field -> command.add(field.path("name").asText()));
        assertThat(fields(schemas.path("CommandFields"))).isEqualTo(command);
    }

    @Test
    void shouldDescribeChangesAndDifferences() {
        // then
        JsonNode schemas = document.at("/components/schemas");
        assertThat(fields(schemas.path("PolicyRecordChanged")))
                .containsExactly("inForce", "plan", "removed", "set", "version", "waiting", "warnings", "withdrawn");
        assertThat(schemas.at("/PolicyFileComparisonDifference/properties/kind/enum")
                        .toString())
                .isEqualTo("[\"ADDED\",\"CHANGED\",\"MISSING\"]");
        assertThat(schemas.at("/HoldAll/properties/holds/items/$ref").asText()).isEqualTo("#/components/schemas/Hold");
        assertThat(schemas.at("/Namespace/properties/expiring/$ref").asText())
                .isEqualTo("#/components/schemas/NamespaceExpiring");
        assertThat(schemas.at("/NamespaceTtl/properties/expiredLastHour/description")
                        .asText())
                .contains("to the millisecond", "on whichever instance");
    }

    private static Set<String> fields(JsonNode schema) {
        return names(schema.path("properties"));
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static void assertOperation(String path, JsonNode operation) {
        assertThat(operation.path("summary").asText()).as(path).isNotBlank();
        assertThat(operation.path("tags").size()).isEqualTo(1);
        assertThat(operation.path("responses").size()).as(path).isGreaterThan(1);
        Set<String> inPath = new TreeSet<>();
        operation.path("parameters").forEach(parameter -> {
            assertThat(parameter.at("/schema/type").asText()).isNotBlank();
            if (parameter.path("in").asText().equals("path")) {
                assertThat(parameter.path("required").asBoolean()).isTrue();
                inPath.add(parameter.path("name").asText());
            }
        });
        Set<String> named = new TreeSet<>();
        Pattern.compile("\\{(\\w+)}").matcher(path).results().forEach(found -> named.add(found.group(1)));
        assertThat(inPath).isEqualTo(named);
    }

    private JsonNode operation(ApiRoute route) {
        return document.path("paths")
                .path(route.path())
                .path(route.method().name().toLowerCase(Locale.ROOT));
    }

    private static String pathOf(ApiRoute route) {
        return route.path().replaceAll("\\{scope}", "*").replaceAll("\\{\\w+}", "0-0");
    }

    /** Returns the parameters that the route names when it refuses an unknown one. */
    private static List<String> known(JsonNode problem) {
        String message = problem.at("/problems/0/message").asText();
        assertThat(message).contains("is not a known parameter");
        int list = message.indexOf("known here: ");
        return list < 0 ? List.of() : List.of(message.substring(list + 12).split(", ", -1));
    }
}
