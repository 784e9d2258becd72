package dev.ebb.topology.assess;

/**
 * The moments at which the brake compares the events that are gone under the new policies with those that would be gone
 * under the former ones: now, and several until the end of the horizon. Between two of them a lead of the new policies
 * that is shorter than one step can pass unseen; with a single moment at the end, policies that both delete everything
 * until then would seem equal.
 *
 * @param nowMs the present, epoch milliseconds
 * @param lengthMs the length of the horizon; 0 if only the present counts
 */
public record Horizon(long nowMs, long lengthMs) {

    /** One step is a day of the built-in horizon. */
    static final int STEPS = 7;

    /** Returns the moment after so many steps, epoch milliseconds. */
    long atMs(int step) {
        return nowMs + lengthMs / STEPS * step + lengthMs % STEPS * step / STEPS;
    }

    /** Returns the last moment. */
    long endMs() {
        return nowMs + lengthMs;
    }
}
