package dev.ebb.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;

/** Answer of the application when it does not do what was asked. */
final class Problem {

    private Problem() {}

    static CommandFailure of(int status, JsonNode body) {
        StringBuilder message = new StringBuilder(body.path("detail").asText("HTTP " + status));
        for (JsonNode fault : body.path("problems")) {
            String where = fault.path("where").asText("");
            message.append("\n  ").append(where.isEmpty() ? "" : where + ": ");
            message.append(fault.path("message").asText());
        }
        if (Refused.isRefusal(body)) {
            return Refused.failure(body);
        }
        return new CommandFailure(exitCode(status), message.toString());
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
