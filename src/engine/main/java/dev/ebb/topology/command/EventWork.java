package dev.ebb.topology.command;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.time.Durations;
import dev.ebb.store.arrival.Arrival;
import dev.ebb.store.events.Found;
import dev.ebb.store.plan.PlannedItem;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.plan.PlanWriter;
import dev.ebb.topology.policy.TtlChange;
import dev.ebb.topology.trash.SetTtls;
import dev.ebb.topology.work.StreamRefusals;
import dev.ebb.topology.work.StreamRemovals;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Changes or deletes one event. Not thread-safe. */
final class EventWork extends Work.Awaiting {

    static final Kind<State> KIND = new Kind<>("event", State.class, EventWork::new);

    private static final Deleted NOTHING_OF_ONE = Deleted.of(1, 0, 0, 0);

    private final Command.OfEvent command;

    EventWork(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request(), state.known());
        this.command = (Command.OfEvent) request.command();
    }

    /**
     * The work as it is written down.
     *
     * @param request the command; its fields stand beside the others in JSON
     * @param known the work waits for the policies that the sender has seen:
     *     policies bound TTLs and say what can be undone and what is archived; null if unknown
     */
    record State(
            @JsonUnwrapped CommandRequest request, @Nullable PolicyEdition known) {

        static State of(Work.Asked asked) {
            return new State(asked.request(), asked.known());
        }
    }

    @Override
    public List<String> streams() {
        return List.of(command.stream().value());
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        Progress waiting = awaitPolicies(nowMs);
        if (waiting != null) {
            return waiting;
        }
        if (endsOutlived(command.stream(), nowMs)) {
            return Progress.DONE;
        }
        if (isUndecided(nowMs)) {
            return waitOrRefuse(Objects.requireNonNull(context.store().stream(command.stream())), nowMs);
        }
        if (command instanceof Command.SetTtl ttl) {
            setTtl(ttl, nowMs);
        } else {
            delete((Command.DeleteEvent) command, nowMs);
        }
        return Progress.DONE;
    }

    /**
     * Waits for the stream, or refuses if the stream is quarantined: such a stream does not move on, so the wait would
     * never end.
     */
    private Progress waitOrRefuse(StreamState stream, long nowMs) {
        if (stream.quarantine() == null) {
            return Progress.LATER;
        }
        String why = StreamRefusals.explain(
                stream, Refusal.NOT_READY, context.policies().get());
        refuse(Refusal.NOT_READY, why, nowMs);
        return Progress.DONE;
    }

    private boolean isUndecided(long nowMs) {
        Found found = stored();
        return found != null
                && (mayBeProtected()
                        || context.store().isUndecided(found, context.policies().get(), nowMs));
    }

    /** Returns true if the command spares protected events, and it is not known yet whether this event is one (M-3). */
    private boolean mayBeProtected() {
        StreamState stream = context.store().stream(command.stream());
        boolean mayDeleteAny = !(command instanceof Command.DeleteEvent delete) || delete.isForced();
        return !mayDeleteAny && stream != null && stream.isBeingSorted();
    }

    private @Nullable Found stored() {
        StreamState stream = context.store().stream(command.stream());
        return stream == null ? null : context.store().find(stream, command.id());
    }

    private @Nullable Found find(long nowMs) {
        Found found = stored();
        if (found == null
                || !context.store().isVisible(found, context.policies().get(), nowMs)) {
            refuse(Refusal.NOT_FOUND, "there is no event " + command.id() + " in stream " + command.stream(), nowMs);
            return null;
        }
        return found;
    }

    private void delete(Command.DeleteEvent delete, long nowMs) {
        Found found = find(nowMs);
        if (found == null) {
            return;
        }
        PolicySet policies = context.policies().get();
        boolean isProtected = context.store().facts(found).isProtected();
        if (policies.isHeld(delete.stream())) {
            refuse(Refusal.HELD, "it is " + StreamRefusals.heldBy(delete.stream(), policies), nowMs);
        } else if (isProtected && !delete.isForced()) {
            refuse(Refusal.PROTECTED, protectedBy(found), nowMs);
        } else if (request.maxDeletes() != null && request.maxDeletes() < 1) {
            refuse(Refusal.TOO_MANY, StreamRefusals.tooMany(1, request.maxDeletes()), nowMs);
        } else {
            remove(found, isProtected, nowMs);
        }
    }

    private static String protectedBy(Found found) {
        return found.event().isProtected()
                ? "its own status protects it"
                : "execution " + found.event().execution() + ", to which it belongs, is not terminal";
    }

    private void remove(Found found, boolean isProtected, long nowMs) {
        long bytes = found.event().sizeBytes();
        if (!request.isDryRun()) {
            remove(found, nowMs);
        }
        Deleted one = Deleted.of(1, 0, 1, bytes).withProtected(isProtected ? 1 : 0);
        reply.done(request, "", one, plan(planned(found, nowMs), nowMs, nowMs), nowMs);
    }

    /** Lists the event in the plan of a dry run. */
    private PlanTally planned(Found found, long nowMs) {
        if (!request.makesPlan()) {
            return PlanTally.NOTHING;
        }
        PlanWriter plan = new PlanWriter(context.store(), request.commandId(), 0);
        plan.beginSlice(nowMs);
        plan.add(new PlannedItem(
                command.stream(),
                found.segment().stream().sid(),
                found.event().id(),
                found.event().storedAt(),
                RemovalCause.DELETE));
        return plan.finish();
    }

    private void remove(Found found, long nowMs) {
        StreamState stream = Objects.requireNonNull(context.store().stream(command.stream()));
        context.store().remove(found, RemovalCause.DELETE, removed -> {
            try (StreamRemovals removals = StreamRemovals.ofCommand(context, request, nowMs)) {
                removals.removed(stream, removed);
            }
        });
        context.schedule().touch(stream);
    }

    private void setTtl(Command.SetTtl wanted, long nowMs) {
        Found found = find(nowMs);
        if (found == null) {
            return;
        }
        Long ttlMs = wanted.ttlMs();
        OwnTtl asked = ttlMs == null ? wanted.ttl() : OwnTtl.of(null, Durations.after(nowMs, ttlMs), false);
        // Nothing is taken away from an event that had no TTL.
        OwnTtl former = context.store().facts(found).ttl();
        OwnTtl ttl = asked.isAsked() || former.isAsked() ? asked.byCommand() : former;
        PolicySet policies = context.policies().get();
        TtlChange change = new TtlChange(context.store().facts(found), ttl, policies.effective(command.stream()));
        String problem = change.problem();
        if (problem == null) {
            setTtl(found, change, policies, nowMs);
        } else {
            refuse(Refusal.TTL_OUT_OF_BOUNDS, problem, nowMs);
        }
    }

    private void setTtl(Found found, TtlChange change, PolicySet policies, long nowMs) {
        EventUpdate update = new EventUpdate(command.stream(), command.id(), null, null, change.ttl(), null);
        Optional<Arrival> arrival = context.store().prepare(update, nowMs, nowMs, policies);
        String tooBig = arrival.map(this::tooBig).orElse(null);
        if (tooBig != null) {
            refuse(Refusal.BAD_COMMAND, tooBig, nowMs);
            return;
        }
        boolean goesAtOnce = !context.store().isVisible(found.withTtl(change.ttl()), policies, nowMs);
        String outcome = change.outcome(goesAtOnce, nowMs);
        if (!request.isDryRun()) {
            arrival.ifPresent(changed -> put(changed, policies, nowMs));
            new SetTtls(context.store()).note(command.stream());
        }
        // The command itself deletes nothing: its consequences are counted only in a dry run.
        Deleted counts = goesAtOnce && request.isDryRun()
                ? Deleted.of(1, 0, 1, found.event().sizeBytes())
                : NOTHING_OF_ONE;
        reply.done(request, outcome, counts, null, nowMs);
    }

    /** Returns the problem if the row is too big, else null; events stored under a larger limit may have such a row. */
    private @Nullable String tooBig(Arrival change) {
        int bytes = context.outbox().row(change.event()).sizeBytes();
        int most = context.outbox().limits().storedBytes();
        return bytes <= most
                ? null
                : "the row of the event in the SQL mirror has " + bytes + " bytes, at most " + most + " can be sent";
    }

    private void put(Arrival change, PolicySet policies, long nowMs) {
        StreamState stream = context.store().put(change, policies, changed -> context.outbox()
                .mirror(changed, context.outbox().row(change.event()), nowMs));
        context.schedule().touch(stream);
    }

    private void refuse(Refusal refusal, String detail, long nowMs) {
        reply.refused(request, refusal, detail, Deleted.skipped(refusal), nowMs);
    }

    @Override
    public void end(Refusal why, String problem, long nowMs) {
        refuse(why, problem, nowMs);
    }

    @Override
    public Object state() {
        return new State(request, awaited());
    }
}
