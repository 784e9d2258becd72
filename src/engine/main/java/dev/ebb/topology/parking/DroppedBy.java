package dev.ebb.topology.parking;

/** Describes the drop of a waiting record: its actor and its reason. */
public final class DroppedBy {

    private DroppedBy() {}

    /** Detail for people; actor and reason may be empty. */
    public static String detail(String actor, String reason) {
        return "dropped" + (actor.isEmpty() ? "" : " by " + actor) + (reason.isEmpty() ? "" : ": " + reason);
    }
}
