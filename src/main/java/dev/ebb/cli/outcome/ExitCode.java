package dev.ebb.cli.outcome;

/** What the exit code of {@code ebb} says (O-16). */
public enum ExitCode {
    /** It did what was asked. */
    OK(0),
    /** It could not do it, or not all of it, or what was named is not there. */
    FAILED(1),
    /** What was asked makes no sense; nothing was done. */
    USAGE(2),
    /** It compared two things and they differ. */
    DIFFERENCES(3),
    /** What it needs is not there yet; asking again later helps. */
    NOT_READY(4),
    /** It was understood and refused, or is held back until somebody confirms it; nothing was done. */
    REFUSED(5);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
