package dev.ebb.cli.client;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import org.jspecify.annotations.Nullable;

/** Commands that the application has refused. */
public final class Refused {

    private static final String BEGIN = "refused, ";

    private Refused() {}

    /** Returns true if the command ended because the application refused it for that reason. */
    public static boolean isFor(CommandFailure failure, String refusal) {
        return String.valueOf(failure.getMessage()).startsWith(BEGIN + refusal + ":");
    }

    /** Returns the failure of a refused command, with the reason and, where there is one, the remedy. */
    public static CommandFailure failure(String refusal, @Nullable String detail) {
        boolean isUnexplained = detail == null || detail.isEmpty();
        // The application may have named the way out itself.
        boolean isSaid = detail != null && detail.contains("maxDeletes=");
        String message = BEGIN + refusal + (isUnexplained ? "" : ": " + detail) + (isSaid ? "" : wayOut(refusal));
        return new CommandFailure(exitCode(refusal), message);
    }

    private static String wayOut(String refusal) {
        return switch (refusal) {
            case "STREAM_OPEN", "PARENT_OPEN", "PROTECTED" -> "; finish that work first, or add --force";
            case "PARENT_CYCLE" -> "; --force overrides this";
            case "HELD" -> "; only 'ebb hold release' ends a hold";
            case "NO_FILTER" -> "; name a filter, or add --all";
            case "UNCONFIRMED" -> "; see it with --dry-run and carry out its --plan, or add --max-deletes";
            case "TOO_MANY" -> "; raise --max-deletes, or ask for less";
            default -> "";
        };
    }

    private static ExitCode exitCode(String refusal) {
        return switch (refusal) {
            case "BAD_COMMAND" -> ExitCode.USAGE;
            case "NOT_FOUND" -> ExitCode.FAILED;
            case "NOT_READY", "BUSY" -> ExitCode.NOT_READY;
            default -> ExitCode.REFUSED;
        };
    }
}
