package dev.ebb.runtime.forecast;

import dev.ebb.store.read.StreamOutline;
import java.util.List;
import java.util.Map;

/**
 * The outlines of all streams that could be looked at. Immutable.
 *
 * @param byPartition outlines by partition, in the order of the names, without partitions that could not be read
 * @param atMs time of the look, epoch milliseconds
 */
record Outlines(Map<Integer, List<StreamOutline>> byPartition, long atMs) {

    static final Outlines NOTHING = new Outlines(Map.of(), 0);
}
