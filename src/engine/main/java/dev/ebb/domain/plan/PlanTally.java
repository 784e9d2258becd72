package dev.ebb.domain.plan;

import dev.ebb.domain.Snapshot;
import java.util.EnumMap;
import java.util.Map;

/**
 * Sums of a part of a plan.
 *
 * @param planned the events that a dry run has listed; nothing if the plan is carried out; for a dry run that is
 *     compared with a plan, the events that have become due since
 * @param done the events that went when the plan was carried out
 * @param leftOut number of listed events that stayed, by reason
 */
public record PlanTally(PlanDigest planned, PlanDigest done, Map<LeftOut, Long> leftOut) {

    /** All sums zero. */
    public static final PlanTally NOTHING = new PlanTally(PlanDigest.NOTHING, PlanDigest.NOTHING, Map.of());

    public PlanTally {
        leftOut = Snapshot.of(leftOut);
    }

    public static PlanTally planned(PlanDigest events) {
        return new PlanTally(events, PlanDigest.NOTHING, Map.of());
    }

    public static PlanTally done(PlanDigest events) {
        return new PlanTally(PlanDigest.NOTHING, events, Map.of());
    }

    /** Returns the sums for events that stayed for one reason; {@link #NOTHING} for zero events. */
    public static PlanTally left(LeftOut reason, long events) {
        return events == 0 ? NOTHING : new PlanTally(PlanDigest.NOTHING, PlanDigest.NOTHING, Map.of(reason, events));
    }

    public PlanTally plus(PlanTally other) {
        Map<LeftOut, Long> left = new EnumMap<>(LeftOut.class);
        left.putAll(leftOut);
        other.leftOut.forEach((reason, events) -> left.merge(reason, events, Long::sum));
        return new PlanTally(planned.plus(other.planned), done.plus(other.done), left);
    }
}
