package dev.ebb.topology.erase;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.erase.EraseLimit;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.BrakeTally;
import dev.ebb.domain.policy.change.NamespaceLoss;
import dev.ebb.domain.policy.change.SpentDeletes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Events that an erasure would take, as the brake has counted them, and those that it took. Immutable.
 *
 * @param counted the losses of the partitions by the count
 * @param sum the sum of the count, with all namespaces that the erasure may concern
 * @param gone the sum of the events that went after the count
 */
public record EraseCount(Map<Integer, BrakeFinding> counted, BrakeFinding sum, BrakeFinding gone) {

    /** Nothing is counted yet. */
    public static final EraseCount NOTHING = new EraseCount(Map.of(), BrakeFinding.NOTHING, BrakeFinding.NOTHING);

    /** Returns this count with that of a partition. */
    public EraseCount counted(int partition, BrakeFinding finding) {
        Map<Integer, BrakeFinding> all = new TreeMap<>(counted);
        all.put(partition, finding.ofLosses());
        return new EraseCount(all, sum.plus(finding), gone);
    }

    /** Returns this count with the events that went in another partition. */
    public EraseCount gone(BrakeFinding finding) {
        return new EraseCount(counted, sum, gone.plus(finding.ofLosses()));
    }

    /**
     * Returns the limit of a partition: the events that it has counted, and its part of those that the brake leaves.
     * Events that match after the count are not in it, and must not make the erasure larger than what was judged.
     *
     * @param partitions number of partitions
     * @param spent returns the deletes of other erasures that count from the last hour, by namespace
     */
    public EraseLimit limit(
            int partition,
            int partitions,
            CommandRequest request,
            BrakeLimits limits,
            Function<String, SpentDeletes> spent) {
        BrakeFinding here = counted.getOrDefault(partition, BrakeFinding.NOTHING);
        Long most = request.maxDeletes();
        if (most != null) {
            return EraseLimit.inAll(here.wouldDelete() + (most - sum.wouldDelete()) / partitions);
        }
        BrakeTally tally = BrakeTally.of(sum, limits, spent);
        Map<String, Long> namespaces = new TreeMap<>();
        tally.leftByNamespace().forEach((namespace, left) -> namespaces.put(namespace, left / partitions));
        here.namespaces().forEach(loss -> namespaces.merge(loss.namespace(), loss.wouldDelete(), Long::sum));
        return new EraseLimit(here.wouldDelete() + tally.left() / partitions, namespaces);
    }

    /** Returns the events that went without being counted. */
    public List<NamespaceLoss> uncounted() {
        Map<String, Long> known = new HashMap<>();
        sum.namespaces().forEach(loss -> known.put(loss.namespace(), loss.wouldDelete()));
        List<NamespaceLoss> uncounted = new ArrayList<>();
        for (NamespaceLoss loss : gone.namespaces()) {
            long more = loss.wouldDelete() - known.getOrDefault(loss.namespace(), 0L);
            if (more > 0) {
                uncounted.add(new NamespaceLoss(loss.namespace(), more, loss.stored()));
            }
        }
        return uncounted;
    }
}
