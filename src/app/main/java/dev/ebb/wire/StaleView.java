package dev.ebb.wire;

import org.jspecify.annotations.Nullable;

/**
 * A partition of which a copy answered, since the instance that keeps it could not.
 *
 * @param instance host and port of the API of the instance that has the copy
 * @param lagRecords number of records of its changelogs that the copy is behind; null if that is not known
 */
public record StaleView(
        int partition, String instance, @Nullable Long lagRecords) {}
