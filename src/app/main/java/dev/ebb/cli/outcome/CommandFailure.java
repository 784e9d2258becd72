package dev.ebb.cli.outcome;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Ends a command with a message for the person who typed it; no stack trace is shown. */
public final class CommandFailure extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final ExitCode exitCode;

    /** Returns the failure of a wrongly typed command. */
    public static CommandFailure usage(String message) {
        return new CommandFailure(ExitCode.USAGE, message);
    }

    /** Returns the failure of a wrongly typed command, with the message of its cause. */
    public static CommandFailure usage(RuntimeException cause) {
        return new CommandFailure(ExitCode.USAGE, String.valueOf(cause.getMessage()), cause);
    }

    /** Returns the failure for a file that cannot be read. */
    public static CommandFailure unread(Path file, IOException cause) {
        String reason = cause instanceof NoSuchFileException ? "it does not exist" : reason(cause);
        return new CommandFailure(ExitCode.FAILED, "cannot read " + file + ": " + reason, cause);
    }

    /** Returns the failure for a file that cannot be written. */
    public static CommandFailure unwritten(Path file, IOException cause) {
        String reason = cause instanceof NoSuchFileException
                ? "the folder " + file.toAbsolutePath().getParent() + " does not exist"
                : reason(cause);
        return new CommandFailure(ExitCode.FAILED, "cannot write to " + file + ": " + reason, cause);
    }

    /** Returns the reason without the file name at the beginning of such messages. */
    private static String reason(IOException cause) {
        String reason = cause instanceof FileSystemException failure ? failure.getReason() : null;
        if (cause instanceof AccessDeniedException) {
            return "this user may not";
        }
        return reason == null ? String.valueOf(cause.getMessage()) : reason;
    }

    /** Makes a failure; the message names the fault and, if known, the remedy. */
    public CommandFailure(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Makes a failure with a cause, which {@code --debug} shows. */
    public CommandFailure(ExitCode exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
