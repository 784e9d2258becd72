package dev.ebb.domain.retention;

/**
 * What made something be deleted.
 *
 * @param sweepId the sweep; empty if none did
 * @param commandId the command of a person; empty if none asked
 * @param actor who asked; empty if nobody did or it is unknown
 * @param reason why they asked; empty if unknown
 */
public record Origin(String sweepId, String commandId, String actor, String reason) {

    /** Neither a sweep nor a command: something newer took the place of what was due. */
    public static final Origin REPLACEMENT = new Origin("", "", "", "");

    /** A sweep that the interval of a policy made run. */
    public static Origin ofSweep(String sweepId) {
        return new Origin(sweepId, "", "", "");
    }

    /** A command that deletes by itself. */
    public static Origin ofCommand(String commandId, String actor, String reason) {
        return new Origin("", commandId, actor, reason);
    }
}
