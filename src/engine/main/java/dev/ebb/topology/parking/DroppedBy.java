package dev.ebb.topology.parking;

/** Says who had a record dropped that waited, and why. */
public final class DroppedBy {

    private DroppedBy() {}

    /** For people; either may be empty. */
    public static String detail(String actor, String reason) {
        return "dropped" + (actor.isEmpty() ? "" : " by " + actor) + (reason.isEmpty() ? "" : ": " + reason);
    }
}
