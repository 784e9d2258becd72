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
        @Meaning("When the streams were surveyed; the earliest such time of all instances.")
        long at,

        @Meaning("The beginning of the first bucket.") long from,

        @Meaning("The end of the last bucket.") long to,

        @Meaning("Length of a bucket; 30 days for calendar months: the buckets have the true bounds.")
        long stepMs,

        @Meaning("True if all figures of all buckets are exact, and no partition is missing.")
        boolean exact,

        @Meaning("Number of partitions that could not be surveyed; no figure includes their events.")
        int partitionsMissing,

        @Meaning("True if a policy limits sweeps to windows of the day. Events that fall due outside a window go in the"
                + " next one; the figures ignore this.")
        boolean windows,

        AmountView stored,

        @Meaning("Number of stored events whose due times have been looked at closely. Those of the others are guessed"
                + " from the first and the last event of their stream; the next request knows more of them.")
        long readEvents,

        List<BucketView> buckets,

        @Meaning(
                "The biggest namespaces of each instance, first those that lose the most events up to the end of the last"
                        + " bucket; others has the rest.")
        List<NamespaceView> namespaces,

        @Meaning("The sum of all other namespaces; null if there are none.") @Nullable
        OthersView others,

        @Meaning("Instances whose part is missing, because they did not answer.")
        List<UnansweredView> unanswered) {

    /** One namespace. */
    public record NamespaceView(
            String namespace,
            AmountView stored,

            @Meaning("Events that are due and still stored, or over a cap: the next sweep deletes them.")
            AmountView overdue,

            @Meaning("Events that fall due before the first bucket.")
            AmountView sooner,

            @Meaning("Events that fall due in each bucket.") List<DueView> due,

            @Meaning("Events that fall due after the last bucket.")
            AmountView later,

            @Meaning("Events without a due time: protected, held, guarded by keepLast, infinite, or under a policy that"
                    + " does not enforce.")
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

            @Meaning(
                    "True if the number is exact; else it is interpolated within long streams, and only the sum over all"
                            + " buckets is exact.")
            boolean exact) {}
}
