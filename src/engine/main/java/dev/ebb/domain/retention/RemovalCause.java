package dev.ebb.domain.retention;

/** Why an event was removed. */
public enum RemovalCause {
    /** The TTL that its producer asked for has passed. */
    TTL,
    /** It has no own TTL and is older than {@code maxAge}. */
    MAX_AGE,
    /** Its stream holds more than {@code maxCount} events and it is among the oldest that may go. */
    MAX_COUNT,
    /** Its stream is bigger than {@code maxBytes} and it is among the oldest that may go. */
    MAX_BYTES,
    /** A person deleted it, or its whole stream. */
    DELETE,
    /** A person purged its stream. */
    PURGE,
    /** A person pruned its execution, or it. */
    PRUNE;

    /** Whether a person asked for it; else a policy or the producer did. */
    public boolean isCommand() {
        return this == DELETE || this == PURGE || this == PRUNE;
    }

    /** Whether it is a cap of its stream; age and own TTLs act for readers as well, caps in sweeps only (M-17). */
    public boolean isCap() {
        return this == MAX_COUNT || this == MAX_BYTES;
    }
}
