package dev.ebb.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.QueryParams;
import dev.ebb.wire.ProblemView;
import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The OpenAPI 3.1 document of all routes, its own included (O-17). */
final class OpenApi implements ApiResource {

    static final String PATH = "/openapi.json";
    private static final String BEARER = "bearer";
    private static final String VERSION = "3.1.0";
    private static final String DOTS = " Write a name of one or two dots with a leading '~': ~. or ~..";
    private static final Map<String, String> PATH_PARAMETERS = Map.of(
            "stream", "The name of the stream, percent-encoded: write %2F for a '/'." + DOTS,
            "scope", "stream:<name>, namespace:<name>, pattern:<name> or *; percent-encoded.",
            "namespace", "The name of the namespace, percent-encoded." + DOTS,
            "id", "The id of the resource, percent-encoded." + DOTS,
            "case", "The case of the hold, percent-encoded." + DOTS,
            "commandId", "The id of the command, percent-encoded." + DOTS);

    private final ApiSchemas schemas = new ApiSchemas();
    private final byte[] document;

    /** @param others all routes except that of the document */
    OpenApi(List<ApiRoute> others) {
        List<ApiRoute> all = Stream.concat(others.stream(), routes().stream()).toList();
        this.document = ApiJson.bytes(documentOf(all));
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get(PATH, this::answer, "Shows this interface as a document of OpenAPI 3.1.")
                .answers("OpenApi"));
    }

    private void answer(Context ctx, QueryParams params) {
        params.done();
        ctx.contentType(ApiJson.MEDIA_TYPE).result(document);
    }

    private ObjectNode documentOf(List<ApiRoute> routes) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("openapi", VERSION);
        json.putObject("info")
                .put("title", "Ebb")
                .put("description", "The retention engine for event streams. Errors are problem details (RFC 9457).")
                .put("version", "v1");
        ObjectNode paths = json.putObject("paths");
        for (ApiRoute route : routes) {
            paths.withObjectProperty(route.path())
                    .set(route.method().name().toLowerCase(Locale.ROOT), operation(route));
        }
        ObjectNode components = json.putObject("components");
        components.set("schemas", schemas.all());
        describeToken(components.putObject("securitySchemes").putObject(BEARER));
        return json;
    }

    private static void describeToken(ObjectNode scheme) {
        scheme.put("type", "http")
                .put("scheme", "bearer")
                .put("description", "A token from 'ebb token create'. An instance without api.tokens.file needs none.");
    }

    private ObjectNode operation(ApiRoute route) {
        ObjectNode operation = JsonNodeFactory.instance.objectNode();
        operation.put("operationId", operationId(route)).put("summary", route.summary());
        operation.putArray("tags").add(tag(route));
        security(route, operation);
        parameters(route, operation);
        ApiRoute.Content body = route.body();
        if (body != null) {
            ObjectNode request = operation.putObject("requestBody").put("required", body.isRequired());
            content(request, body);
        }
        responses(route, operation.putObject("responses"));
        return operation;
    }

    private static void security(ApiRoute route, ObjectNode operation) {
        ArrayNode security = operation.putArray("security");
        route.role().ifPresent(role -> {
            security.addObject().putArray(BEARER);
            operation.put("x-ebb-role", role.toString());
        });
    }

    private static void parameters(ApiRoute route, ObjectNode operation) {
        ArrayNode parameters = operation.putArray("parameters");
        for (String name : route.pathParameters()) {
            ObjectNode parameter =
                    parameters.addObject().put("name", name).put("in", "path").put("required", true);
            parameter.put("description", PATH_PARAMETERS.getOrDefault(name, name));
            parameter.putObject("schema").put("type", "string");
        }
        for (ApiRoute.Query query : route.queries()) {
            ObjectNode parameter =
                    parameters.addObject().put("name", query.name()).put("in", "query");
            if (query.isRequired()) {
                parameter.put("required", true);
            }
            parameter.put("description", query.meaning());
            ObjectNode schema = parameter.putObject("schema").put("type", query.type());
            if (query.isRepeated()) {
                schema.putObject("items").put("type", "string");
            }
        }
    }

    private void responses(ApiRoute route, ObjectNode responses) {
        for (ApiRoute.Answer answer : route.answers()) {
            ObjectNode response = responses.putObject(Integer.toString(answer.status()));
            response.put("description", meaning(answer.status()));
            content(response, answer.content());
        }
        ObjectNode problem = responses.putObject("default").put("description", "The problem.");
        content(problem, new ApiRoute.Content(ProblemView.MEDIA_TYPE, ProblemView.class));
    }

    private void content(ObjectNode of, ApiRoute.Content content) {
        ObjectNode media = of.putObject("content").putObject(content.mediaType());
        Object schema = content.schema();
        if (schema != null) {
            media.set("schema", schemas.reference(schema));
        }
    }

    private static String meaning(int status) {
        return switch (status) {
            case 202 -> "Accepted; the work follows shortly.";
            case 503 -> "No answer is possible now; the body gives the reason.";
            default -> "Done.";
        };
    }

    /** Returns the id of an operation: {@code GET /v1/streams/{stream}} is get_streams_stream. */
    private static String operationId(ApiRoute route) {
        String path = route.path().replaceFirst("^/v1", "").replaceAll("[^A-Za-z]+", "_");
        return route.method().name().toLowerCase(Locale.ROOT) + path.replaceAll("_$", "");
    }

    private static String tag(ApiRoute route) {
        return Stream.of(route.path().split("[/:.]", -1))
                .filter(part -> !part.isEmpty() && !part.equals("v1"))
                .limit(1)
                .collect(Collectors.joining());
    }
}
