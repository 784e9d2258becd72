package dev.ebb.store.pass;

import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.HeadWalk.Candidate;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.state.Passage.Outcome;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** Shows a listener the events that a prune would take. Stateless. */
final class PruneForecast {

    private PruneForecast() {}

    /** Shows an execution that would go, with its events; returns false if the budget ended the slice. */
    static boolean show(
            KeyValueStore<Bytes, byte[]> events,
            Segment segment,
            Pruning pruning,
            PrunePass pass,
            SweepBudget budget,
            RemovalListener listener) {
        boolean isDone = listener == RemovalListener.NONE
                || showEvents(events, segment, pruning.firstNewcomer(), pass, budget, listener);
        if (isDone) {
            pruning.countExecution(segment, segment.totalEvents(), segment.totalBytes());
            listener.executionRemoved(segment.stream(), segment.execution());
        }
        return isDone;
    }

    private static boolean showEvents(
            KeyValueStore<Bytes, byte[]> events,
            Segment segment,
            long firstNewcomer,
            PrunePass pass,
            SweepBudget budget,
            RemovalListener listener) {
        if (pass.enterExecution(segment.number())) {
            listener.began(segment.stream(), segment.number());
        }
        return pass.slice(events, segment, budget, (range, key, value) -> {
            budget.spendStep();
            Candidate candidate = Candidate.of(range, key, value);
            if (candidate.event().seq() < firstNewcomer) {
                tell(candidate, segment, listener);
            }
            return Outcome.STAYS;
        });
    }

    static void tell(Candidate candidate, Segment segment, RemovalListener listener) {
        StreamState stream = segment.stream();
        listener.removed(stream, Removed.of(segment, candidate.event(), RemovalCause.PRUNE, candidate.value()));
    }
}
