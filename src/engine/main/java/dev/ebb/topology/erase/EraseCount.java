package dev.ebb.topology.erase;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.erase.EraseLimit;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.topology.assess.NamespaceLosses;
import java.util.Map;
import java.util.TreeMap;

/**
 * Events that an erasure would take, as the brake has counted them. It is saved in one record, so only the namespaces
 * with the largest losses are named; the largest loss of the others stands for each of them. Immutable.
 *
 * @param counted the losses of the partitions
 * @param sum the sum of all partitions, with the namespaces that the erasure may concern
 */
public record EraseCount(Map<Integer, BrakeFinding> counted, BrakeFinding sum) {

    /** Most namespaces that are named in the sum. */
    static final int MOST_NAMED = NamespaceLosses.MOST_LISTED;

    /** Bytes of the losses of all partitions together, a third of the largest record; those of their sum take another. */
    private static final int NAMES_BYTES = 320 * 1024;

    /** Most bytes of a loss beside its name. */
    private static final int LOSS_BYTES = 100;

    /** Nothing is counted yet. */
    public static final EraseCount NOTHING = new EraseCount(Map.of(), BrakeFinding.NOTHING);

    /**
     * Returns this count with that of a partition.
     *
     * @param partitions number of partitions, which share the bytes of a record
     */
    public EraseCount with(int partition, BrakeFinding finding, int partitions) {
        Map<Integer, BrakeFinding> all = new TreeMap<>(counted);
        all.put(partition, named(finding.ofLosses(), NAMES_BYTES / partitions));
        return new EraseCount(all, sum.plus(finding).largest(MOST_NAMED));
    }

    /** The names of a partition are cut behind the sum, which has to tell what each namespace loses in all of them. */
    private static BrakeFinding named(BrakeFinding losses, int bytes) {
        int longest = losses.namespaces().stream()
                .mapToInt(loss -> loss.namespace().length())
                .max()
                .orElse(0);
        return losses.largest(Math.max(1, Math.min(MOST_NAMED, bytes / (longest + LOSS_BYTES))));
    }

    /**
     * Returns the limit of a partition: the events that it has counted, by namespace, or its part of the number that
     * was named. Events that match after the count are not in it, and must not make the erasure larger than what was
     * judged. So all that goes is spent from the hour before the first event goes, and no two erasures share a rest. Among
     * the namespaces that a partition does not name, late matches may take the place of counted ones; the number of all
     * stays.
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
