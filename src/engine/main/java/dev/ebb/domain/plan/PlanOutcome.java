package dev.ebb.domain.plan;

import dev.ebb.domain.Snapshot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plan, as the result of the dry run that made it or of the command that carried it out shows it.
 *
 * @param planId identifies the plan: the id of the dry run that made it
 * @param pointMs the sweep point, epoch milliseconds: the time at which everything was decided
 * @param expiresMs the last millisecond at which the plan can be carried out, epoch milliseconds
 * @param planned the events of the plan
 * @param done the events that went; null if the plan was made and not carried out
 * @param leftOut number of events of the plan that stayed, by reason
 */
public record PlanOutcome(
        String planId,
        long pointMs,
        long expiresMs,
        PlanDigest planned,
        @Nullable PlanDigest done,
        Map<LeftOut, Long> leftOut) {

    public PlanOutcome {
        leftOut = Snapshot.of(leftOut);
    }

    /** Returns true if exactly the events of the plan went. */
    public boolean isExact() {
        return planned.equals(done);
    }
}
