package dev.ebb.topology;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.PolicySource;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.arrival.ExecutionChange;
import dev.ebb.store.arrival.MoveListener;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.removal.Outbox;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves of the events of streams to their new order, in slices. A stream whose move used up a slice lets all others go
 * first in the next one: until its move has ended, no sweep deletes anything from a stream. Not thread-safe.
 */
final class StreamMoves {

    private final PartitionParts here;
    private final EventStore store;
    private final Supplier<PolicySet> policies;
    private long ended;

    /** The stream at which the last slice ended; null if there is none. */
    private @Nullable StreamState cut;

    /** @param policies the policies that the streams follow */
    StreamMoves(PartitionParts here, Supplier<PolicySet> policies) {
        this.here = here;
        this.policies = policies;
        this.store = here.store();
    }

    /** Moves streams for one slice. */
    void slice(long nowMs, SweepBudget budget) {
        if (store.movingStreams() == 0 || budget.isSpent()) {
            return;
        }
        List<StreamState> inTurn = new ArrayList<>(store.moving());
        Collections.rotate(inTurn, -1 - inTurn.indexOf(cut));
        cut = null;
        for (StreamState stream : inTurn) {
            if (budget.isSpent()) {
                break;
            }
            if (here.guard().run(stream, nowMs, () -> store.move(stream, nowMs, budget, new Mirror(nowMs)))) {
                here.schedule().touch(stream);
            } else {
                cut = stream;
            }
        }
    }

    /** Returns true if a move has ended, in whatever way, since the last call. */
    boolean haveEnded() {
        long before = ended;
        ended = store.movesEnded();
        return ended != before;
    }

    /** Listener that shows in SQL how a move changes events and executions (I-4), and which rows go (F-13). */
    private final class Mirror implements MoveListener {

        private final Outbox outbox = here.outbox();
        private final long nowMs;

        Mirror(long nowMs) {
            this.nowMs = nowMs;
        }

        @Override
        public void changed(StreamState stream, StoredEvent event) {
            outbox.mirror(stream, outbox.row(event), nowMs);
        }

        @Override
        public void changed(ExecutionChange change) {
            outbox.mirrorExecution(change.stream().stream(), change, nowMs);
        }

        @Override
        public void rowsGo(StreamState stream, long events) {
            PolicySource choice = stream.policy().get(PolicyField.MIRROR).source();
            VersionedPolicy record = policies.get().policies().get(choice.scope());
            String auditId = "rows-" + here.partition() + "-" + store.nextAuditNumber();
            outbox.audit(AuditRecord.ofRows(
                    auditId, stream.stream(), choice, record == null ? null : record.policy(), events, nowMs));
        }
    }
}
