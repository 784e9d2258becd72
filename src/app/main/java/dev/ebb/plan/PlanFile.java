package dev.ebb.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import java.util.Set;
import java.util.TreeSet;

/**
 * A plan of policies as a file that people review (T-7): the result of the dry run as the application reports it, and
 * the text of the policies. The file is never trusted: the application still has the result, and compares the text
 * itself.
 *
 * @param content the whole file
 */
public record PlanFile(JsonNode content) {

    private static final String POLICIES = "policies";
    private static final String PRUNE = "prunePolicies";

    /** Adds the request to the result of its dry run. */
    public static void complete(ObjectNode result, JsonNode request) {
        result.set(POLICIES, request.path(POLICIES));
        result.set(PRUNE, request.path(PRUNE));
    }

    public static PlanFile parse(String name, String text) {
        try {
            PlanFile file = new PlanFile(Json.parse(text));
            if (!file.planId().isEmpty() && file.content.path(POLICIES).isTextual()) {
                return file;
            }
        } catch (JsonProcessingException e) {
            throw new CommandFailure(ExitCode.USAGE, name + " is not a plan: it is not JSON", e);
        }
        throw CommandFailure.usage(name + " is not a plan; 'ebb policy plan -f FILE -o json' makes one");
    }

    public String planId() {
        return content.path("plan").path("planId").asText("");
    }

    public String policies() {
        return content.path(POLICIES).asText();
    }

    public boolean prunes() {
        return content.path(PRUNE).asBoolean();
    }

    /** Ends the command if the file differs from the application's record of the plan. */
    public void requireUnedited(RestApi api) {
        JsonNode known = api.get(RestPath.of("v1", "commands", planId()));
        Set<String> fields = new TreeSet<>();
        known.fieldNames().forEachRemaining(fields::add);
        content.fieldNames().forEachRemaining(fields::add);
        fields.removeAll(Set.of(POLICIES, PRUNE));
        for (String field : fields) {
            if (!known.path(field).equals(content.path(field))) {
                String what = "the plan was edited: its field '" + field + "' is not that of the plan " + planId();
                throw new CommandFailure(ExitCode.REFUSED, what);
            }
        }
    }
}
