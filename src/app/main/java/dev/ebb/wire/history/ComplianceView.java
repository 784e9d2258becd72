package dev.ebb.wire.history;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.ShownAs;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.read.Read;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compliance of stored events with the policies, and deletes in a stretch of time. Each stream counts under the
 * narrowest scope that has a policy in force, with all that was ever deleted from it.
 *
 * @param from the beginning of the stretch; null if it has none
 * @param to the end of the stretch; null if it has none
 * @param exact false if counts are lower bounds, because there was too much to look at or an instance did not answer
 * @param unanswered instances whose streams are missing; empty if there are none
 */
public record ComplianceView(
        Instant at,
        @Nullable Instant from,
        @Nullable Instant to,
        long policyVersion,
        boolean exact,
        List<ScopeView> scopes,
        List<UnansweredView> unanswered) {

    /** Reports on compliance. */
    public static final Read<Query, ComplianceView> REPORT = new Read<>(
            "/v1/reports/compliance",
            "Shows by scope the policy in force, the oldest event, overdue events, holds, and the deletions in a period."
                    + " Each stream counts under the narrowest scope that has a policy.",
            Query.class,
            ComplianceView.class);

    /** The period of the deletes. */
    public record Query(TimeRange time) {}

    /**
     * One scope.
     *
     * @param version the version of the policy; null if it is built in
     * @param oldest the oldest anchor of an unprotected event; null if there is none
     * @param overdue events that are due and still there
     * @param holds the cases of the holds that cover streams of the scope
     * @param deleted events that were deleted in the stretch of time, by cause
     */
    public record ScopeView(
            String scope,
            @Nullable Long version,
            @ShownAs("Policy") JsonNode policy,
            long streams,
            long events,
            @Nullable Instant oldest,
            long overdue,
            List<String> holds,
            Map<String, SweepView.TallyView> deleted) {}
}
