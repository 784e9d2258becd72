package dev.ebb.topology;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.Removed;
import dev.ebb.store.events.RemovedExecution;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.pass.RetirementListener;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.removal.Removals;
import dev.ebb.topology.work.CommandContext;
import org.jspecify.annotations.Nullable;

/** Trail of deleted streams: empties them, and explains and mirrors each removal. Not thread-safe. */
public final class RetirementTrail implements RetirementListener {

    private final CommandContext context;
    private @Nullable Removals removals;
    private int sid;
    private long nowMs;

    public RetirementTrail(CommandContext context) {
        this.context = context;
    }

    /** Empties streams for one slice; returns true if nothing is left. */
    public boolean slice(long sliceMs, SweepBudget budget) {
        nowMs = sliceMs;
        boolean isDone = context.store().empty(budget, this);
        close();
        return isDone;
    }

    @Override
    public void removed(Retired stream, Removed removed) {
        Removals current = of(stream);
        var policies = context.policies().get();
        EffectivePolicy policy = policies.effective(stream.stream());
        if (!policy.archive().value() || canBeArchived(removed)) {
            current.removed(removed, policy, policies.version(), nowMs);
        } else {
            current.removedWithoutCopy(removed, policy, policies.version(), nowMs);
        }
    }

    private Removals of(Retired stream) {
        Removals current = removals;
        if (current == null || sid != stream.sid()) {
            close();
            Origin origin = stream.origin();
            String auditId = origin.commandId() + "-" + context.partition() + "-"
                    + context.store().nextAuditNumber();
            current = new Removals(context.outbox(), context.observer(), origin, auditId);
            removals = current;
            sid = stream.sid();
        }
        return current;
    }

    /**
     * Returns true if the event can be archived; a damaged one of a deleted stream can be neither kept nor repaired.
     */
    private boolean canBeArchived(Removed removed) {
        try {
            removed.stored();
            return true;
        } catch (RuntimeException e) {
            if (!StreamGuard.isOfOne(e)) {
                throw e;
            }
            String what =
                    "event " + removed.event().id() + " of a deleted stream is not archived: " + StreamGuard.reason(e);
            context.observer().eventDamaged(context.partition(), removed.stream(), what);
            return false;
        }
    }

    @Override
    public void removedUnread(Retired stream) {
        String what = "an event of a deleted stream cannot be read: it has no audit entry, and its row in SQL stays";
        context.observer().eventDamaged(context.partition(), stream.stream(), what);
    }

    /** Deletes the row, unless a new stream of that name has declared the same number and owns the row (O-10). */
    @Override
    public void executionRemoved(Retired stream, Execution execution, long openSinceMs) {
        StreamState successor = context.store().stream(stream.stream());
        if (successor == null || !context.store().knowsExecution(successor, execution.number())) {
            context.outbox().mirrorExecutionDelete(stream.stream(), execution.number(), nowMs);
        }
        RemovedExecution kept = new RemovedExecution(execution, openSinceMs, stream.parent());
        of(stream).keep(stream, kept, context.policies().get(), nowMs);
    }

    private void close() {
        if (removals != null) {
            removals.close();
            removals = null;
        }
    }
}
