package dev.ebb.wire.forecast;

import dev.ebb.wire.Meaning;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deleted events by time, namespace and cause, according to the audit. Times are epoch milliseconds. */
public record DeletionsView(
        @Meaning("The time of this answer.") long at,

        @Meaning("The beginning of the first bucket.") long from,

        @Meaning("The end of the last bucket.") long to,

        @Meaning("Length of a bucket; 30 days for calendar months.")
        long stepMs,

        @Meaning("Deletes are counted from this time on; null if none are known yet. Earlier deletes are no longer in"
                + " the audit, or not yet read.")
        @Nullable
        Long since,

        @Meaning("True if the buckets lack no deletes that the audit has; else ask again in a moment.")
        boolean complete,

        @Meaning(
                "Buckets before this time may include deletes of their neighbours, since very many old deletes are kept by"
                        + " the hour or day; null if all buckets are exact.")
        @Nullable
        Long preciseFrom,

        @Meaning("Deletes in all buckets.") AmountView deleted,

        List<BucketView> buckets,

        @Meaning("The namespaces with the most deleted events, the most first.")
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
