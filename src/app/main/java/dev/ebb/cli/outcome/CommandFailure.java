package dev.ebb.cli.outcome;

import java.io.Serial;

/** Ends a command with a message for the person who typed it; no stack trace is shown. */
public final class CommandFailure extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final ExitCode exitCode;

    /** A failure of a command that was typed wrongly. */
    public static CommandFailure usage(String message) {
        return new CommandFailure(ExitCode.USAGE, message);
    }

    /** A failure of a command that was typed wrongly, with the text of its cause. */
    public static CommandFailure usage(RuntimeException cause) {
        return new CommandFailure(ExitCode.USAGE, String.valueOf(cause.getMessage()), cause);
    }

    /** The message says what is wrong and, where that is known, what to do about it. */
    public CommandFailure(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** A failure with its cause, which is shown with {@code --debug}. */
    public CommandFailure(ExitCode exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
