package dev.ebb.domain.plan;

import dev.ebb.domain.Reported;
import dev.ebb.domain.Snapshot;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A plan, as the result of the dry run that made it or of the command that carried it out shows it. */
public record PlanOutcome(
        @Reported("The id of the dry run that made the plan.")
        String planId,

        @Reported("The person whose dry run made the plan; empty if unknown.")
        String madeBy,

        @Reported("The time as of which the dry run decided.")
        Instant sweepPoint,

        @Reported("The last millisecond at which the plan can be carried out.")
        Instant expiresAt,

        @Reported("Number of events in the plan.") long events,

        @Reported("The sum of the SHA-256 hashes of the planned events modulo 2^256, in hexadecimal digits.")
        String digest,

        @Reported("True if exactly the planned events were deleted; null if the plan was not carried out.") @Nullable
        Boolean exact,

        @Reported("Number of planned events that were deleted; null if the plan was not carried out.") @Nullable
        Long eventsDone,

        @Reported("The digest of the events that were deleted; null if the plan was not carried out.") @Nullable
        String digestDone,

        @Reported("Planned events that stayed, by reason.") Map<LeftOut, Long> leftOut) {

    public PlanOutcome {
        madeBy = Objects.requireNonNullElse(madeBy, "");
        leftOut = Snapshot.sorted(LeftOut.class, leftOut);
    }

    /**
     * Creates the outcome of a plan.
     *
     * @param madeBy the person whose dry run made the plan; empty if unknown
     * @param pointMs the sweep point, epoch milliseconds: the time at which everything was decided
     * @param expiresMs the last millisecond at which the plan can be carried out, epoch milliseconds
     * @param planned the events of the plan
     * @param done the events that went; null if the plan was made and not carried out
     * @param leftOut number of events of the plan that stayed, by reason
     */
    public PlanOutcome(
            String planId,
            String madeBy,
            long pointMs,
            long expiresMs,
            PlanDigest planned,
            @Nullable PlanDigest done,
            Map<LeftOut, Long> leftOut) {
        this(
                planId,
                madeBy,
                Instant.ofEpochMilli(pointMs),
                Instant.ofEpochMilli(expiresMs),
                planned.events(),
                planned.text(),
                done == null ? null : (Boolean) planned.equals(done),
                done == null ? null : (Long) done.events(),
                done == null ? null : done.text(),
                leftOut);
    }
}
