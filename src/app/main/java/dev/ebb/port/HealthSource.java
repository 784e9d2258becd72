package dev.ebb.port;

/** Answers for the systems that start, stop and route to the instance (O-18). Thread-safe; never waits. */
public interface HealthSource {

    /** Whether the process works at all; if not, it should be restarted. */
    Health live();

    /** Whether it can answer requests now. */
    Health ready();

    /** Whether the first start is over. */
    Health started();

    /**
     * An answer and its reason.
     *
     * @param isUp the answer
     * @param reason the reason, for people
     */
    record Health(boolean isUp, String reason) {}
}
