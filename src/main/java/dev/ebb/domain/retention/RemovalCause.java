package dev.ebb.domain.retention;

/** Why retention removes an event. */
public enum RemovalCause {
    /** The TTL that its producer asked for has passed. */
    TTL,
    /** It has no own TTL and is older than {@code maxAge}. */
    MAX_AGE,
    /** Its stream holds more than {@code maxCount} events and it is among the oldest that may go. */
    MAX_COUNT,
    /** Its stream is bigger than {@code maxBytes} and it is among the oldest that may go. */
    MAX_BYTES
}
