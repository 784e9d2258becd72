package dev.ebb.topology;

import dev.ebb.store.EventStore;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.PolicyView;
import dev.ebb.topology.removal.Outbox;
import org.jspecify.annotations.Nullable;

/** Readiness of a task for its work, by policies, holds, past records and the clock. Not thread-safe. */
final class Readiness {

    private final TopologySettings settings;
    private final TopologyParts parts;
    private final EventStore store;
    private final Outbox outbox;
    private final FailedRecords failed;
    private final ClockGap clockGap;
    private final int partition;
    private boolean hasSeenPolicies;

    Readiness(SharedParts shared, PartitionParts here, ClockGap clockGap) {
        this.clockGap = clockGap;
        this.settings = shared.settings();
        this.parts = shared.parts();
        this.failed = shared.failed();
        this.store = here.store();
        this.outbox = here.outbox();
        this.partition = here.partition();
    }

    private PolicyView view() {
        return parts.policies().current();
    }

    /** Returns true if records may be taken in; until then they wait for the policies. */
    boolean mayTakeIn() {
        return hasPolicies() && !isBehindFence();
    }

    /**
     * Returns true if stored events may be counted for the brake. While a task waits for policies it takes nothing in,
     * so it may count too.
     */
    boolean mayAssess() {
        return isCaughtUp() || !hasPolicies();
    }

    /** Returns true if commands may act, even if sweeping is off; they, too, act on all that was known at the start. */
    boolean mayCommandsAct() {
        return obstacleOfPolicies() == null
                && mayFillTrash()
                && isCaughtUp()
                && parts.sources().targets().areKnown();
    }

    /** Returns false while the trash takes no records: no command deletes without a copy there (T-5). */
    boolean mayFillTrash() {
        return !failed.isTrashClosed();
    }

    /** Returns the obstacle that keeps sweeps from their work; null if there is none. */
    @Nullable
    SweepState obstacle() {
        if (!settings.sweepEnabled()) {
            return SweepState.DISABLED;
        }
        SweepState ofPolicies = obstacleOfPolicies();
        if (ofPolicies != null) {
            return ofPolicies;
        }
        if (parts.clock().problem() != null) {
            return SweepState.CLOCK_GUARD;
        }
        if (!isCaughtUp()) {
            return SweepState.WAITING_FOR_INPUT;
        }
        return clockGap.isOpen() ? SweepState.CLOCK_UNCONFIRMED : null;
    }

    private @Nullable SweepState obstacleOfPolicies() {
        // Records that cannot be read come first: they may be the reason why there are no policies.
        if (view().unreadable() != null) {
            return SweepState.POLICY_UNREADABLE;
        }
        if (!hasPolicies()) {
            return SweepState.WAITING_FOR_POLICIES;
        }
        return isBehindFence() ? SweepState.WAITING_FOR_HOLDS : null;
    }

    /** Returns the reason why this partition may not be swept by hand either; null if there is none. */
    @Nullable
    String sweepProblem() {
        if (!settings.sweepEnabled()) {
            return "sweeping is switched off";
        }
        String ofClock = parts.clock().problem();
        return ofClock == null ? clockGap.problem() : ofClock;
    }

    private boolean isCaughtUp() {
        return parts.catchUp().isCaughtUp(partition);
    }

    /**
     * Returns true if this instance does not yet see a hold that the task has confirmed on another instance: nothing is
     * deleted or replaced until it does.
     */
    private boolean isBehindFence() {
        return isBehindFence(view());
    }

    private boolean isBehindFence(PolicyView view) {
        return view.readOffset() < store.fence();
    }

    /** Confirms the holds in force, once every stream follows them. */
    void confirmHolds(PolicyView view, long nowMs) {
        if (view.holdOffset() == store.fence() || isBehindFence(view)) {
            return;
        }
        boolean isNew = view.holdOffset() > store.fence();
        store.saveFence(view.holdOffset());
        if (isNew) {
            outbox.holdsConfirmed(view.holdOffset(), nowMs);
        }
    }

    /**
     * Returns true if the policies that were there at the start are in force, and settings that the gate has accepted:
     * until then each instance would act by its own (T-13). Nothing is taken in before that, because the policies
     * determine whether an update still finds its event (M-17).
     */
    private boolean hasPolicies() {
        if (!hasSeenPolicies) {
            PolicyView view = view();
            long target = parts.catchUp().policiesTarget();
            hasSeenPolicies = target != CatchUp.UNKNOWN
                    && parts.policies().settings() != null
                    && view.reflectedOffset() >= target
                    && isDecided(view, target);
        }
        return hasSeenPolicies;
    }

    /**
     * Returns true if the brake has decided on all changes up to that target; an undecided change may come into force
     * in a moment.
     */
    private static boolean isDecided(PolicyView view, long target) {
        return view.waiting().stream().allMatch(waiting -> waiting.finding() != null || waiting.version() > target);
    }
}
