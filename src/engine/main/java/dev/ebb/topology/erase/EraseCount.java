package dev.ebb.topology.erase;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.erase.EraseLimit;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.topology.assess.NamespaceLosses;
import java.util.Map;
import java.util.TreeMap;

/**
 * Events that an erasure would take, as the brake has counted them. It is saved in one record, so only the namespaces
 * with the largest losses are named; the others are judged, spent and limited together. Immutable.
 *
 * @param counted the losses of the partitions
 * @param sum the sum of all partitions, with the namespaces that the erasure may concern
 */
public record EraseCount(Map<Integer, BrakeFinding> counted, BrakeFinding sum) {

    /** Most namespaces that are named in all partitions together, and again in their sum. */
    static final int MOST_NAMED = NamespaceLosses.MOST_LISTED;

    /** Nothing is counted yet. */
    public static final EraseCount NOTHING = new EraseCount(Map.of(), BrakeFinding.NOTHING);

    /**
     * Returns this count with that of a partition.
     *
     * @param partitions number of partitions, which share the names of a record
     */
    public EraseCount with(int partition, BrakeFinding finding, int partitions) {
        BrakeFinding named = finding.largest(Math.max(1, MOST_NAMED / partitions));
        Map<Integer, BrakeFinding> all = new TreeMap<>(counted);
        all.put(partition, named.ofLosses());
        return new EraseCount(all, sum.plus(named).largest(MOST_NAMED));
    }

    /**
     * Returns the limit of a partition: the events that it has counted, by namespace, or its part of the number that
     * was named. Events that match after the count are not in it, and must not make the erasure larger than what was
     * judged. So all that goes is spent from the hour before the first event goes, and no two erasures share a rest.
     *
     * @param partitions number of partitions
     */
    public EraseLimit limit(int partition, int partitions, CommandRequest request) {
        BrakeFinding here = counted.getOrDefault(partition, BrakeFinding.NOTHING);
        Long most = request.maxDeletes();
        if (most != null) {
            return EraseLimit.inAll(here.wouldDelete() + (most - sum.wouldDelete()) / partitions);
        }
        Map<String, Long> namespaces = new TreeMap<>();
        here.namespaces().forEach(loss -> namespaces.put(loss.namespace(), loss.wouldDelete()));
        return new EraseLimit(here.wouldDelete(), namespaces);
    }
}
