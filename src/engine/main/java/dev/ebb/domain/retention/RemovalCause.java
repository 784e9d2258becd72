package dev.ebb.domain.retention;

/** Reasons why an event was removed. */
public enum RemovalCause {
    /** The TTL that the producer of the event asked for has passed. */
    TTL,
    /** The event has no own TTL and is older than {@code maxAge}. */
    MAX_AGE,
    /** The stream holds more than {@code maxCount} events, and the event is among the oldest that may go. */
    MAX_COUNT,
    /** The stream is bigger than {@code maxBytes}, and the event is among the oldest that may go. */
    MAX_BYTES,
    /** A person deleted the event, or its whole stream. */
    DELETE,
    /** A person purged the stream. */
    PURGE,
    /** A person pruned the event or its execution. */
    PRUNE;

    /** Whether a person asked for the removal; else a policy or the producer did. */
    public boolean isCommand() {
        return this == DELETE || this == PURGE || this == PRUNE;
    }

    /**
     * Whether the cause is a cap of the stream; age and own TTLs act for readers as well, caps in sweeps only (M-17).
     */
    public boolean isCap() {
        return this == MAX_COUNT || this == MAX_BYTES;
    }
}
