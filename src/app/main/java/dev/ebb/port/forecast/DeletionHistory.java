package dev.ebb.port.forecast;

import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deletes of all instances in buckets of time, kept as sums of the audit (C-3). The last records are known soon after
 * the start; a first query starts to read the rest of the audit, in the background, and later queries continue from
 * there. Thread-safe.
 */
public interface DeletionHistory {

    /** Name under which deletes count where there are too many namespaces; no namespace has that name. */
    String OTHERS = "(others)";

    /**
     * Returns the deletes in each bucket.
     *
     * @param namespace only deletes from this namespace; null for all
     * @param buckets the times between the buckets, ascending, whole minutes, at least two
     */
    Deletions deletions(@Nullable String namespace, List<Long> buckets);

    /**
     * Deletes as far as they are known.
     *
     * @param sinceMs time from which deletes are counted, epoch milliseconds; null if none are known yet
     * @param isComplete true if the audit was read as far as the buckets and the topic reach
     * @param preciseFromMs the time from which each bucket has exactly its own deletes, epoch milliseconds; earlier
     *     deletes are kept in longer stretches, each counted in the bucket in which the stretch begins; null if all are
     *     precise
     * @param namespaces the deletes of each bucket, by namespace and cause
     */
    record Deletions(
            @Nullable Long sinceMs,
            boolean isComplete,
            @Nullable Long preciseFromMs,
            Map<String, Map<String, List<Tally>>> namespaces) {}
}
