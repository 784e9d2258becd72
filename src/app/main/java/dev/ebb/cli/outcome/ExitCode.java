package dev.ebb.cli.outcome;

/** Exit codes of {@code ebb} (O-16). */
public enum ExitCode {
    /** The command did its work. */
    OK(0),
    /** The command could not do its work, or only a part of it, or a named thing does not exist. */
    FAILED(1),
    /** The command makes no sense; nothing was done. */
    USAGE(2),
    /** The command compared two things, which differ. */
    DIFFERENCES(3),
    /** Something that the command needs is not ready yet; a later try helps. */
    NOT_READY(4),
    /** The command was understood and refused, or is held back until an operator confirms it; nothing was done. */
    REFUSED(5);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
