package dev.ebb.wire.forecast;

import dev.ebb.wire.Meaning;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deleted events by time, namespace and cause, according to the audit. Times are epoch milliseconds. */
public record DeletionsView(
        @Meaning("When this was said.") long at,

        @Meaning("The beginning of the first bucket.") long from,

        @Meaning("The end of the last bucket.") long to,

        @Meaning("Length of a bucket; of calendar months, 30 days.")
        long stepMs,

        @Meaning("Deletes are counted from this time on; null if none are known yet. Earlier ones are no longer in the"
                + " audit, or not yet read.")
        @Nullable
        Long since,

        @Meaning("True if the audit was read to its end from the beginning of the first bucket on, or from its own"
                + " beginning; else ask again in a moment.")
        boolean complete,

        @Meaning("Buckets before this time may have deletes of their neighbours, for older ones are kept by the hour or"
                + " day where there are very many; null if all buckets have their own.")
        @Nullable
        Long preciseFrom,

        @Meaning("Deletes in all buckets.") AmountView deleted,

        List<BucketView> buckets,

        @Meaning("The namespaces with the most deleted events, the biggest first.")
        List<NamespaceView> namespaces,

        @Meaning("Deletes of all other namespaces, by cause; empty if there are none.")
        List<CauseView> others) {

    /** Deletes of one namespace. */
    public record NamespaceView(String namespace, AmountView deleted, List<CauseView> causes) {}

    /** Deletes for one cause. */
    public record CauseView(
            String cause,

            @Meaning("Deletes in each bucket.") List<AmountView> deleted) {}
}
