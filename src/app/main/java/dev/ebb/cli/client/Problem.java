package dev.ebb.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.wire.ProblemView.Fault;
import dev.ebb.wire.WireJson;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Answer of the application to a failed request: the parts of problems and refusals that people see.
 *
 * @param refusal the reason why a command was refused; null for any other problem
 */
record Problem(
        @Nullable String detail,
        List<Fault> problems,
        @Nullable String refusal) {

    static CommandFailure of(int status, JsonNode body) {
        Problem problem = read(body);
        return problem.refusal == null
                ? new CommandFailure(exitCode(status), problem.message(status))
                : Refused.failure(problem.refusal, problem.detail);
    }

    /** Reads a problem from any JSON, since a proxy on the way may answer too. */
    private static Problem read(JsonNode body) {
        try {
            return body.isObject() ? WireJson.read(body, Problem.class) : new Problem(null, List.of(), null);
        } catch (JsonProcessingException e) {
            return new Problem(null, List.of(), null);
        }
    }

    private String message(int status) {
        StringBuilder message = new StringBuilder(Objects.requireNonNullElse(detail, "HTTP " + status));
        for (Fault fault : problems) {
            String where = Objects.requireNonNullElse(fault.where(), "");
            message.append("\n  ").append(where.isEmpty() ? "" : where + ": ").append(fault.message());
        }
        return message.toString();
    }

    private static ExitCode exitCode(int status) {
        return switch (status) {
            case 400, 413, 415 -> ExitCode.USAGE;
            case 401, 403, 409, 422 -> ExitCode.REFUSED;
            case 429, 502, 503 -> ExitCode.NOT_READY;
            default -> ExitCode.FAILED;
        };
    }
}
