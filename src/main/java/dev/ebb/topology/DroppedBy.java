package dev.ebb.topology;

/** Says who had a record dropped that waited, and why. */
final class DroppedBy {

    private DroppedBy() {}

    /** For people; either may be empty. */
    static String detail(String actor, String reason) {
        return "dropped" + (actor.isEmpty() ? "" : " by " + actor) + (reason.isEmpty() ? "" : ": " + reason);
    }
}
