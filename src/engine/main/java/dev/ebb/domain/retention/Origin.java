package dev.ebb.domain.retention;

/**
 * The origin of a delete.
 *
 * @param sweepId the sweep; empty if no sweep was involved
 * @param commandId the command of a person; empty if no command was involved
 * @param actor the person who asked; empty if there is none or the person is unknown
 * @param reason the reason of that person; empty if unknown
 * @param commandRecord the place of the command among all commands, {@code partition/offset}, which tells it from another
 *     one of the same id; empty if no command was involved
 */
public record Origin(String sweepId, String commandId, String actor, String reason, String commandRecord) {

    /** Neither a sweep nor a command: a newer event replaced a due one. */
    public static final Origin REPLACEMENT = new Origin("", "", "", "", "");

    /** Returns the origin of deletes by a sweep that ran because of the interval of a policy. */
    public static Origin ofSweep(String sweepId) {
        return new Origin(sweepId, "", "", "", "");
    }

    /** Returns the origin of deletes by a command itself. */
    public static Origin ofCommand(String commandId, String actor, String reason, String commandRecord) {
        return new Origin("", commandId, actor, reason, commandRecord);
    }

    /** Returns the origin of an action that is neither a sweep nor a command. */
    public static Origin ofPerson(String actor, String reason) {
        return new Origin("", "", actor, reason, "");
    }

    /** Returns the origin of deletes by a sweep that the command asked for; its id adds up the work of all partitions. */
    public Origin asSweep() {
        return new Origin(commandId, commandId, actor, reason, commandRecord);
    }
}
