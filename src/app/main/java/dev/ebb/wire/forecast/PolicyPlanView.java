package dev.ebb.wire.forecast;

import dev.ebb.wire.Meaning;
import dev.ebb.wire.UnansweredView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sums of the events that a file of policies and holds would delete at the next sweep.
 * {@code GET /v1/commands/{planId}} lists the streams.
 */
public record PolicyPlanView(
        @Meaning("Id of the dry run; 'plan' of POST /v1/policies:apply carries out this plan and nothing else.")
        String planId,

        @Meaning("DONE, or RUNNING if the result was not there in time: ask GET /v1/commands/{planId}, or send the"
                + " request again with this commandId.")
        String state,

        @Nullable Instant sweepPoint,

        @Meaning("Until when the plan can be carried out; null if it would delete nothing.") @Nullable
        Instant expiresAt,

        @Nullable Long policyVersion,

        @Meaning("Events that would go.") AmountView deleted,

        @Meaning("All stored events.") AmountView stored,

        @Meaning("Share of the stored events that would go, 0 to 1.")
        double share,

        BrakeView brake,

        @Meaning("The namespaces with deletes, the biggest first; their figures are exact as long as smallerParts is"
                + " null.")
        List<NamespaceView> namespaces,

        @Meaning("Deletes that are in no namespace here, because there are too many of them to be named; null if all"
                + " are.")
        @Nullable
        AmountView smallerParts,

        @Meaning("Instances whose stored events are missing.")
        List<UnansweredView> unanswered) {

    /** The limits of the brake (O-8). */
    public record BrakeView(
            @Meaning("False if no change is held back.") boolean on,

            @Meaning("The share of the stored events of its scope that a change may make due at once, in percent.")
            int sharePercent,

            @Meaning("Number of events that a change may always make due at once.")
            long minimumEvents,

            @Meaning("Number of all stored events up to which nothing is held back; null if the brake is off.")
            @Nullable
            Long allowed) {}

    /** Deletes from one namespace. */
    public record NamespaceView(
            String namespace,
            AmountView deleted,
            AmountView stored,

            @Meaning("Share of its stored events that would go, 0 to 1.")
            double share,

            @Meaning("Number of its events that the brake lets go for a change of its scope; null if the brake is off.")
            @Nullable
            Long allowed,

            @Meaning("Deletes by cause.") Map<String, AmountView> causes) {}
}
