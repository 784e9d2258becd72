package dev.ebb.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;

/** Commands that the application has refused. */
public final class Refused {

    private static final String REFUSAL = "refusal";
    private static final String BEGIN = "refused, ";

    private Refused() {}

    /** Whether the answer, a result or a problem, tells of a refusal. */
    public static boolean isRefusal(JsonNode answer) {
        return answer.path(REFUSAL).isTextual();
    }

    /** Whether the command ended because it was refused for that reason. */
    public static boolean isFor(CommandFailure failure, String refusal) {
        return String.valueOf(failure.getMessage()).startsWith(BEGIN + refusal + ":");
    }

    /** The end of a command that was refused, with the reason and, where there is one, the way out. */
    public static CommandFailure failure(JsonNode answer) {
        String refusal = answer.path(REFUSAL).asText();
        String detail = answer.path("detail").asText("");
        String message = BEGIN + refusal + (detail.isEmpty() ? "" : ": " + detail) + wayOut(refusal);
        return new CommandFailure(exitCode(refusal), message);
    }

    private static String wayOut(String refusal) {
        return switch (refusal) {
            case "STREAM_OPEN", "PARENT_OPEN", "PROTECTED" -> "; finish that work first, or add --force";
            case "PARENT_CYCLE" -> "; --force passes over it";
            case "HELD" -> "; 'ebb hold release' ends a hold, nothing else does";
            case "NO_FILTER" -> "; name a filter, or add --all";
            case "TOO_MANY" -> "; raise --max-deletes, or ask for less";
            default -> "";
        };
    }

    private static ExitCode exitCode(String refusal) {
        return switch (refusal) {
            case "BAD_COMMAND" -> ExitCode.USAGE;
            case "NOT_FOUND" -> ExitCode.FAILED;
            case "NOT_READY" -> ExitCode.NOT_READY;
            default -> ExitCode.REFUSED;
        };
    }
}
