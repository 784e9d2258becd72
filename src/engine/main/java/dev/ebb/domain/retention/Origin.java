package dev.ebb.domain.retention;

/**
 * The origin of a delete.
 *
 * @param sweepId the sweep; empty if no sweep was involved
 * @param commandId the command of a person; empty if no command was involved
 * @param actor the person who asked; empty if there is none or the person is unknown
 * @param reason the reason of that person; empty if unknown
 */
public record Origin(String sweepId, String commandId, String actor, String reason) {

    /** Neither a sweep nor a command: a newer event took the place of one that was due. */
    public static final Origin REPLACEMENT = new Origin("", "", "", "");

    /** A sweep that ran because of the interval of a policy. */
    public static Origin ofSweep(String sweepId) {
        return new Origin(sweepId, "", "", "");
    }

    /** A command that deletes by itself. */
    public static Origin ofCommand(String commandId, String actor, String reason) {
        return new Origin("", commandId, actor, reason);
    }
}
