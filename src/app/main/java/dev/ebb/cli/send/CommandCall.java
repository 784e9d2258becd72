package dev.ebb.cli.send;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.domain.command.CommandKind;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.source.Source;
import dev.ebb.wire.commands.CommandRoute;
import dev.ebb.wire.commands.CommandRoute.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The request that carries a command; made anew each time it is sent.
 *
 * @param method the method of the request
 * @param path the path of the request
 * @param body the fields besides those of all commands
 * @param scopes the streams that it means; empty if it names none, and so may mean all
 */
public record CommandCall(Method method, RestPath path, ObjectNode body, List<Scope> scopes) {

    /** Returns the call of a command with these fields, some of which are part of its path. */
    public static CommandCall of(CommandKind<?> kind, ObjectNode fields) {
        CommandRoute route = CommandRoute.of(kind);
        ObjectNode body = fields.deepCopy();
        List<Scope> scopes = scopes(fields);
        RestPath path = RestPath.of(Stream.of(route.path().substring(1).split("/", -1))
                .map(segment -> segment(segment, body))
                .toArray(String[]::new));
        if (route.method() == Method.DELETE) {
            // The request has no body: its fields are parameters.
            body.properties()
                    .forEach(field -> path.with(field.getKey(), field.getValue().asText()));
        }
        return new CommandCall(route.method(), path, body, scopes);
    }

    /** Returns the streams that it means, for people: such as {@code "of stream orders/1"}; empty unless it is one scope. */
    public String where() {
        Scope only = scopes.size() == 1 ? scopes.get(0) : Scope.ALL;
        return only.kind() == Scope.Kind.ALL ? "" : "of " + only.kind().text() + " " + only.name();
    }

    /** Returns true if events of that source may be among those that the command means. */
    boolean mayReach(Source source) {
        return scopes.isEmpty()
                || scopes.stream().anyMatch(scope -> switch (scope.kind()) {
                    case STREAM -> source.mayHave(new StreamName(scope.name()));
                    case NAMESPACE -> source.mayLeadInto(scope.name());
                    case ALL, PATTERN -> true;
                });
    }

    private static List<Scope> scopes(JsonNode fields) {
        List<Scope> scopes = new ArrayList<>();
        try {
            if (fields.has("stream")) {
                scopes.add(Scope.stream(fields.path("stream").asText()));
            }
            fields.path("streams").forEach(stream -> scopes.add(Scope.stream(stream.asText())));
            if (fields.has("namespace")) {
                scopes.add(Scope.namespace(fields.path("namespace").asText()));
            }
            if (fields.has("scope")) {
                scopes.add(Scope.parse(fields.path("scope").asText()));
            }
        } catch (IllegalArgumentException e) {
            // The application refuses the name, and says why.
            return List.of();
        }
        return List.copyOf(scopes);
    }

    private static String segment(String segment, ObjectNode body) {
        return switch (segment) {
            case CommandRoute.STREAM -> body.remove("stream").asText();
            case CommandRoute.SOURCE -> body.remove("source").asText();
            case CommandRoute.EVENT -> body.remove("eventId").asText();
            default -> segment;
        };
    }

    JsonNode send(RestApi api) {
        return switch (method) {
            case POST -> api.post(path, body);
            case PUT -> api.put(path, body);
            case DELETE -> api.delete(path);
        };
    }
}
