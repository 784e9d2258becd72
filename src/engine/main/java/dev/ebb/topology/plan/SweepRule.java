package dev.ebb.topology.plan;

import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Cover;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.KeepReason;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.Found;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.plan.PlannedItem;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepSchedule;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rule of a sweep: the present decision at the sweep point of the plan. An event that a cap would take goes as long as
 * its stream is over a cap, because the events before it in the order of deletion also come before it in the plan. Not
 * thread-safe.
 */
public record SweepRule(EventStore store, SweepSchedule schedule, Supplier<PolicySet> policies, long pointMs)
        implements PlanRule {

    @Override
    public @Nullable LeftOut keepsAll(StreamState stream) {
        PolicySet now = policies.get();
        if (now.isHeld(stream.stream())) {
            return LeftOut.HELD;
        }
        if (stream.isUnderNotice(pointMs)) {
            return LeftOut.KEPT;
        }
        if (!schedule.mayBeSwept(stream)) {
            return LeftOut.NOT_READY;
        }
        return now.effective(stream.stream()).isEnforced() ? null : LeftOut.KEPT;
    }

    @Override
    public Fate of(StreamState stream, Found found, PlannedItem planned) {
        EffectivePolicy policy = policies.get().effective(stream.stream());
        Place place = place(stream, policy, found.event());
        Decision decision = found.segment().decide(found.event(), place, policy, Cover.NONE, pointMs);
        if (decision instanceof Decision.Keep keep) {
            return Fate.stays(keep.reason() == KeepReason.PROTECTED ? LeftOut.PROTECTED : LeftOut.KEPT);
        }
        RemovalCause cause = ((Decision.Remove) decision).cause();
        return cause.isCap() && !planned.cause().isCap() ? Fate.stays(LeftOut.KEPT) : Fate.goes(cause);
    }

    /** Returns the place that the event would have as the first of its stream to go. */
    private Place place(StreamState stream, EffectivePolicy policy, EventHeader event) {
        Function<EventHeader, Place> places = store.placesForKeepLast(stream, policy);
        Place known = places.apply(event);
        return new Place(
                stream.totalEvents(), stream.totalBytes(), 0, 0, known.newerEligibleEvents(), known.executionRank());
    }
}
