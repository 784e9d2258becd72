package dev.ebb.port.forecast;

import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deletes of all instances in buckets of time, kept as sums of the audit (C-3). The last records are known soon after the
 * start; a question begins to read the rest of the audit, in the background, and later ones go on from there. Thread-safe.
 */
public interface DeletionHistory {

    /** Name under which deletes count where there are too many namespaces; none is called so. */
    String OTHERS = "(others)";

    /**
     * Deletes in each bucket.
     *
     * @param namespace only deletes from this namespace; null for all
     * @param buckets the times between the buckets, ascending, whole minutes, at least two
     */
    Deletions deletions(@Nullable String namespace, List<Long> buckets);

    /**
     * Deletes as far as they are known.
     *
     * @param sinceMs deletes from this time on are counted, epoch milliseconds; null if none are known yet
     * @param isComplete true if the audit was read as far as the buckets and the topic reach
     * @param preciseFromMs the time from which each bucket has its own deletes and no others, epoch milliseconds; before it,
     *     deletes are kept in longer stretches, and count in the bucket in which a stretch begins; null if all are precise
     * @param namespaces by namespace and cause, the deletes of each bucket
     */
    record Deletions(
            @Nullable Long sinceMs,
            boolean isComplete,
            @Nullable Long preciseFromMs,
            Map<String, Map<String, List<Tally>>> namespaces) {}
}
