package dev.ebb.topology.parking;

/** Description of the drop of a waiting record: its actor and its reason. */
public final class DroppedBy {

    private DroppedBy() {}

    /** Returns a detail for people; actor and reason may be empty. */
    public static String detail(String actor, String reason) {
        return "dropped" + (actor.isEmpty() ? "" : " by " + actor) + (reason.isEmpty() ? "" : ": " + reason);
    }
}
