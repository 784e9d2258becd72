package dev.ebb.wire;

import org.jspecify.annotations.Nullable;

/**
 * A partition for which a copy answered, since the instance that keeps it could not.
 *
 * @param instance host and port of the API of the instance that has the copy
 * @param lagRecords number of records by which the copy lags behind its changelogs; null if not known
 */
public record StaleView(
        int partition, String instance, @Nullable Long lagRecords) {}
