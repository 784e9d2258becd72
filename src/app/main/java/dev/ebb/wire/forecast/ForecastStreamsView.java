package dev.ebb.wire.forecast;

import dev.ebb.wire.Meaning;
import dev.ebb.wire.UnansweredView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Streams whose events fall due in a stretch of time, those with the most such events first. Times are epoch
 * milliseconds.
 */
public record ForecastStreamsView(
        @Meaning("When the streams were surveyed; the earliest such time of all instances.")
        long at,

        @Meaning("The start of the period.") long from,

        @Meaning("The end of the period, not included.") long to,

        @Meaning("True if all figures are exact, and no partition is missing.")
        boolean exact,

        int partitionsMissing,

        @Meaning("Number of streams with an event that falls due in the period.")
        long streamsInAll,

        @Meaning("Events of all these streams that fall due in the period.")
        AmountView due,

        List<StreamView> streams,

        @Meaning("The 'after' of the next page; null on the last page.") @Nullable
        String next,

        List<UnansweredView> unanswered) {

    /** One stream. */
    public record StreamView(
            String stream,
            String namespace,

            @Meaning("Events that fall due in the period.") long events,

            long bytes,

            @Meaning("True if the number is exact.") boolean exact,

            @Meaning("When the first of these events falls due, or the earliest time at which it may.")
            long first,

            @Meaning("When the last of these events falls due, or the latest time at which it may.")
            long last,

            @Meaning("All events of the stream.") AmountView stored) {}
}
