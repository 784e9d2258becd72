package dev.ebb.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;

/** Commands that the application has refused. */
public final class Refused {

    private static final String REFUSAL = "refusal";

    private Refused() {}

    /** Whether the answer, a result or a problem, tells of a refusal. */
    public static boolean isRefusal(JsonNode answer) {
        return answer.path(REFUSAL).isTextual();
    }

    /** The end of a command that was refused, with the reason. */
    public static CommandFailure failure(JsonNode answer) {
        String refusal = answer.path(REFUSAL).asText();
        String detail = answer.path("detail").asText("");
        String message = "refused, " + refusal + (detail.isEmpty() ? "" : ": " + detail);
        return new CommandFailure(exitCode(refusal), message);
    }

    private static ExitCode exitCode(String refusal) {
        return switch (refusal) {
            case "BAD_COMMAND" -> ExitCode.USAGE;
            case "NOT_READY" -> ExitCode.NOT_READY;
            default -> ExitCode.REFUSED;
        };
    }
}
