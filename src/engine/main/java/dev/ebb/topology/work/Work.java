package dev.ebb.topology.work;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.order.StreamLines;
import dev.ebb.topology.plan.PlanBook;
import dev.ebb.topology.policy.AwaitedPolicies;
import dev.ebb.topology.policy.PolicyView;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Piece of work that a command asks of a partition, done in slices and saved across a crash. Not thread-safe. */
public abstract class Work {

    /** The command that asks for the work. */
    public final CommandRequest request;

    public final CommandContext context;
    public final Reply reply;
    public final PlanBook plans;
    private final StreamLines lines;
    private final String kind;

    /** @param kind name of the {@link Kind} */
    public Work(String kind, WorkParts parts, CommandRequest request) {
        this.kind = kind;
        this.context = parts.context();
        this.reply = parts.reply();
        this.plans = parts.plans();
        this.lines = parts.lines();
        this.request = request;
    }

    /** Returns the name of the work, unique among all work of the partition. */
    public final String name() {
        return CommandNotes.name(kind, request.commandId());
    }

    public final String commandId() {
        return request.commandId();
    }

    /**
     * Returns the plan that the command has made or carried out; null if it has none. May be called only by the work
     * that leads the command.
     *
     * @param pointMs the time against which a dry run has decided
     * @param tally tally of the events that all partitions have listed, or of the plan
     */
    public final @Nullable PlanOutcome plan(PlanTally tally, long pointMs, long nowMs) {
        return plan(tally, pointMs, null, nowMs);
    }

    /**
     * Returns the plan, see {@link #plan(PlanTally, long, long)}.
     *
     * @param brake events that the brake counts for the file of a dry run; null if it counts none
     */
    public final @Nullable PlanOutcome plan(PlanTally tally, long pointMs, @Nullable BrakeFinding brake, long nowMs) {
        String planId = request.plan();
        if (planId != null) {
            return plans.outcome(planId, tally);
        }
        return request.makesPlan()
                ? plans.made(request, pointMs, context.policies().get(), tally, brake, nowMs)
                : null;
    }

    /** Sends a partition a question, an order or an answer on behalf of the command. */
    public final void send(int partition, Errand.Step step, Object body, long nowMs) {
        context.send(partition, request.commandId(), step, body, nowMs);
    }

    /**
     * Kind of work.
     *
     * @param name names work in the notes of the partition, together with the id of its command
     * @param type the type of its state
     * @param maker makes the work from its state, at the beginning and after a crash
     */
    public record Kind<S>(String name, Class<S> type, BiFunction<WorkParts, S, Work> maker) {

        public Work make(WorkParts parts, S state) {
            return maker.apply(parts, state);
        }
    }

    /**
     * Command as its sender asks for it.
     *
     * @param known the policies that the sender has seen, see {@link PolicyView#reflected}; null if unknown
     */
    public record Asked(CommandRequest request, @Nullable PolicyEdition known) {}

    /** State of the work after a slice. */
    public enum Progress {
        /** More work remains, to be done at once. */
        MORE,
        /** The work waits for something in this partition: its turn comes again in the next slice. */
        LATER,
        /** The work waits for an answer of another partition. */
        WAITING,
        /** The work is done, and its result is sent. */
        DONE
    }

    /**
     * Returns the streams of this partition on which the work still takes effect in the order in which commands came.
     * The first ones are left out as soon as the work is done with them; the last one stays until the work ends. Work on
     * whole partitions (sweeps, undos, erasures) has no such order, and repairs must be able to
     * end what other work waits for.
     */
    public List<String> streams() {
        return List.of();
    }

    /**
     * Returns true if another command has deleted the stream since this one came: a stream of that name is a new one,
     * in which this command changes nothing (O-10).
     */
    public final boolean isOutlived(StreamName stream) {
        return lines.outlivedBy(request.commandId()).contains(stream.value());
    }

    /** Works for one slice. */
    public abstract Progress step(long nowMs, SweepBudget budget);

    /** Takes the answer of a partition; work that asks for nothing gets none. */
    public void answered(int partition, Object answer, long nowMs) {
        throw new IllegalStateException(name() + " has asked partition " + partition + " for nothing");
    }

    /**
     * Ends the work after a failure that would come again, and reports this to the partition or sender that waits for
     * the result.
     */
    public abstract void fail(String detail, long nowMs);

    /** Returns the progress of the work, which is saved at once. */
    public abstract Object state();

    /**
     * Ends what the work runs on other threads: readers of topics. Called when the work is done, and when the task ends
     * earlier; the next task makes the work again. May be called again.
     */
    public void close() {
        // most work runs only on the thread of the task
    }

    /** Work that begins once this instance has the policies that the sender, or the partition that asks, has seen. */
    public abstract static class Awaiting extends Work {

        private final AwaitedPolicies awaited;

        /**
         * @param kind name of the {@link Kind}
         * @param awaited the work waits for these policies; null for none
         */
        public Awaiting(String kind, WorkParts parts, CommandRequest request, @Nullable PolicyEdition awaited) {
            super(kind, parts, request);
            this.awaited = new AwaitedPolicies(context.view(), awaited, context.partition());
        }

        /** Returns the progress of work that waits for policies, or has just given up; null once they are in force. */
        public final @Nullable Progress awaitPolicies(long nowMs) {
            if (awaited.areInForce()) {
                return null;
            }
            String missing = awaited.problem(nowMs);
            if (missing == null) {
                return Progress.LATER;
            }
            end(Refusal.NOT_READY, missing, nowMs);
            return Progress.DONE;
        }

        /** Ends the work if another command has deleted the stream since this one came; returns true if so. */
        public final boolean endsOutlived(StreamName stream, long nowMs) {
            boolean isOutlived = isOutlived(stream);
            if (isOutlived) {
                end(Refusal.NOT_FOUND, "stream " + stream + " was deleted after the command came", nowMs);
            }
            return isOutlived;
        }

        /** Returns the awaited policies, to be saved; null if there are none. */
        public final @Nullable PolicyEdition awaited() {
            return awaited.edition();
        }

        /** Ends the work before all of it is done, and reports this to the partition or sender that asks for it. */
        public abstract void end(Refusal refusal, String detail, long nowMs);

        @Override
        public final void fail(String detail, long nowMs) {
            end(Refusal.FAILED, detail, nowMs);
        }
    }
}
