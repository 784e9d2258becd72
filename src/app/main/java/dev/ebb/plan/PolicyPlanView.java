package dev.ebb.plan;

import dev.ebb.wire.Meaning;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.forecast.AmountView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sums of the events that a file of policies and holds would delete at the next sweep.
 * {@code GET /v1/commands/{planId}} lists the streams.
 */
public record PolicyPlanView(
        @Meaning("Id of the dry run; the parameter 'plan' of POST /v1/policies:apply takes it.")
        String planId,

        @Meaning("DONE, or RUNNING if the result was not ready in time: then ask GET /v1/commands/{planId}, or send the"
                + " request again with this commandId.")
        String state,

        @Nullable Instant sweepPoint,

        @Meaning("The time until which the plan can be carried out; null if it would delete nothing.") @Nullable
        Instant expiresAt,

        @Nullable Long policyVersion,

        @Meaning("Events that would go, and rows.") GoingView wouldDelete,

        @Meaning("All stored events.") AmountView stored,

        @Meaning("Share of the stored events that would go, 0 to 1.")
        double share,

        BrakeView brake,

        @Meaning("The namespaces with deletes, the most first; their figures are exact if smallerParts is null.")
        List<NamespaceView> namespaces,

        @Meaning("Deletes of further namespaces, which are too many to be listed; null if all are listed.") @Nullable
        AmountView smallerParts,

        @Meaning("Instances whose stored events are missing.")
        List<UnansweredView> unanswered) {

    /** All that would go. */
    public record GoingView(
            @Meaning("Number of events.") long events,

            @Meaning("Size of these events in bytes.") long bytes,

            @Meaning("Number of rows that SQL would lose by 'mirror: none', while their events stay.")
            long rows,

            @Meaning("Tombstones that the deletes would send to topics of sources; empty if they send none.")
            List<TombstonesView> tombstones) {}

    /** Tombstones of one source. */
    public record TombstonesView(
            @Meaning("The source.") String source,

            @Meaning("The topic that would get them.") String topic,

            @Meaning("The most that it would get: an event that did not come from the source sends none.")
            long atMost) {}

    /** The limits of the brake (O-8). */
    public record BrakeView(
            @Meaning("False if the brake holds no change back.")
            boolean on,

            @Meaning("Percentage of the stored events of its scope, and of each namespace, that a change may delete.")
            int sharePercent,

            @Meaning("Number of events that a change may always delete.")
            long minimumEvents,

            @Meaning("Time for which the brake looks ahead, in milliseconds.")
            long horizonMs,

            @Meaning("Verdict of the brake in words, with the events that go within that time; empty if none would.")
            String verdict,

            @Meaning("True if the brake would hold the file back until a person confirms it.")
            boolean heldBack,

            @Meaning("Number of events that a change of all streams may delete; null if the brake is off.") @Nullable
            Long allowed) {}

    /** Deletes from one namespace. */
    public record NamespaceView(
            String namespace,
            AmountView wouldDelete,
            AmountView stored,

            @Meaning("Share of the namespace's stored events that would go, 0 to 1.")
            double share,

            @Meaning(
                    "Number of events that changes of an hour may delete from the namespace; null if the brake is off.")
            @Nullable
            Long allowed,

            @Meaning("Deletes by cause.") Map<String, AmountView> causes) {}
}
