package dev.ebb.port;

/** Health checks for the systems that start, stop and route to the instance (O-18). Thread-safe; never waits. */
public interface HealthSource {

    /** Returns whether the process works at all; if not, it should be restarted. */
    Health live();

    /** Returns whether the instance can answer requests now. */
    Health ready();

    /** Returns whether the first start is over. */
    Health started();

    /**
     * An answer and its reason.
     *
     * @param isUp the answer
     * @param reason the reason, for people
     */
    record Health(boolean isUp, String reason) {}
}
