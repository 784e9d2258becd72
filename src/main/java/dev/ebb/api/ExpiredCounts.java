package dev.ebb.api;

import java.util.Map;

/** Counts what age and own TTLs have taken of late, on this instance. Thread-safe. */
public interface ExpiredCounts {

    /** Events deleted within the last hour, or since the start if that is less, by namespace. */
    Map<String, Long> lastHour();
}
