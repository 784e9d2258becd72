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

    /** A failure of a command that was typed wrongly. */
    public static CommandFailure usage(String message) {
        return new CommandFailure(ExitCode.USAGE, message);
    }

    /** A failure of a command that was typed wrongly, with the text of its cause. */
    public static CommandFailure usage(RuntimeException cause) {
        return new CommandFailure(ExitCode.USAGE, String.valueOf(cause.getMessage()), cause);
    }

    /** A file could not be read. */
    public static CommandFailure unread(Path file, IOException cause) {
        String reason = cause instanceof NoSuchFileException ? "it does not exist" : reason(cause);
        return new CommandFailure(ExitCode.FAILED, "cannot read " + file + ": " + reason, cause);
    }

    /** A file could not be written. */
    public static CommandFailure unwritten(Path file, IOException cause) {
        String reason = cause instanceof NoSuchFileException
                ? "the folder " + file.toAbsolutePath().getParent() + " does not exist"
                : reason(cause);
        return new CommandFailure(ExitCode.FAILED, "cannot write to " + file + ": " + reason, cause);
    }

    /** The reason without the name of the file, which such messages begin with. */
    private static String reason(IOException cause) {
        String reason = cause instanceof FileSystemException failure ? failure.getReason() : null;
        if (cause instanceof AccessDeniedException) {
            return "this user may not";
        }
        return reason == null ? String.valueOf(cause.getMessage()) : reason;
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
