package dev.ebb.wire.forecast;

import dev.ebb.wire.Meaning;
import dev.ebb.wire.UnansweredView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events by the time at which they fall due, for each namespace. Times are epoch milliseconds. Every stored event is in
 * exactly one of {@code overdue}, {@code sooner}, {@code due}, {@code later} and {@code never}.
 */
public record ForecastView(
        @Meaning("When the streams were looked at; the earliest such time of all instances.")
        long at,

        @Meaning("The beginning of the first bucket.") long from,

        @Meaning("The end of the last bucket.") long to,

        @Meaning("Length of a bucket; of calendar months, 30 days: look at the buckets for their true bounds.")
        long stepMs,

        @Meaning("True if all figures of all buckets are exact, and no partition is missing.")
        boolean exact,

        @Meaning("Number of partitions that could not be looked at; their events are in no figure.")
        int partitionsMissing,

        @Meaning("True if a policy limits sweeps to windows of the day; what falls due outside of one goes in the next,"
                + " which the figures do not show.")
        boolean windows,

        AmountView stored,
        List<BucketView> buckets,

        @Meaning(
                "The biggest namespaces of each instance, those first that lose the most up to the end of the last bucket; the rest is in others.")
        List<NamespaceView> namespaces,

        @Meaning("The sum of all other namespaces; null if there is none.") @Nullable
        OthersView others,

        @Meaning("Instances whose part is missing.") List<UnansweredView> unanswered) {

    /** One namespace. */
    public record NamespaceView(
            String namespace,
            AmountView stored,

            @Meaning("Events that are due and still there: a sweep takes them next, events over a cap included.")
            AmountView overdue,

            @Meaning("Events that fall due before the first bucket.")
            AmountView sooner,

            @Meaning("Events that fall due in each bucket.") List<DueView> due,

            @Meaning("Events that fall due behind the last bucket.")
            AmountView later,

            @Meaning("Events without a time to go: protected, held, guarded by keepLast, kept for ever, or of a policy"
                    + " that does not enforce.")
            AmountView never) {}

    /** The sum of several namespaces. */
    public record OthersView(
            @Meaning("Number of these namespaces.") long namespaces,
            AmountView stored,
            AmountView overdue,
            AmountView sooner,
            List<DueView> due,
            AmountView later,
            AmountView never) {}

    /** Events that fall due in one bucket. */
    public record DueView(
            long events,
            long bytes,

            @Meaning("True if the number is exact; else it is spread between what is known of long streams, and the sum"
                    + " over all buckets is right.")
            boolean exact) {}
}
