package dev.ebb.cli.outcome;

import java.io.Serial;

/** Ends a command with a message for the person who typed it; no stack trace is shown. */
public final class CommandFailure extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final ExitCode exitCode;

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
