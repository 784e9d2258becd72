package dev.ebb.wire.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.domain.policy.Hold;
import dev.ebb.wire.EffectivePolicyView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reasons why a stream or an event stays or goes (O-15).
 *
 * @param policyVersion the version of the policies in force
 * @param holds the holds that cover the stream
 * @param blocks reasons that keep sweeps from deleting due events
 * @param waiting a sentence about ends of executions that wait for events of the stream; left out if there are none
 * @param event the decision about the requested event; left out if none was requested
 */
public record ExplainView(
        String stream,
        long policyVersion,
        EffectivePolicyView policy,
        List<HoldView> holds,
        List<BlockView> blocks,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable
        String waiting,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable DecisionView event) {

    /** A hold that covers the stream. */
    public record HoldView(String caseId, String covers, String reason, String placedBy, Instant placedAt) {

        public static HoldView of(Hold hold) {
            return new HoldView(
                    hold.caseId(),
                    hold.covers().toString(),
                    hold.reason(),
                    hold.placedBy(),
                    Instant.ofEpochMilli(hold.placedAtMs()));
        }
    }

    /**
     * A reason that keeps sweeps from deleting.
     *
     * @param what HOLD, NOTICE, PROTECTED, GUARD, INFINITE, WARN, WINDOW or SWEEPER
     */
    public record BlockView(String what, String detail) {}

    /**
     * The decision about an event: the effect on it of a sweep that began at one moment, caps included.
     *
     * @param at the moment at which the sweep would begin
     * @param decision KEEP or REMOVE
     * @param reason reason to keep, or cause to remove
     * @param scope the scope of the policy that removes the event, {@code event} for an own TTL; null if the event
     *     stays
     * @param due the last millisecond by age or own TTL; null if there is none or the event is protected
     * @param execution the number of the execution of the event
     * @param executionStatus the status of that execution; null if it was never declared
     */
    public record DecisionView(
            String id,
            Instant at,
            String decision,
            String reason,
            @Nullable String scope,
            @Nullable Instant due,
            @Nullable String status,
            boolean isProtected,
            long execution,
            @Nullable String executionStatus) {}
}
