package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.fault.Failures;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.fault.StreamHealing;
import dev.ebb.topology.work.CommandNotes;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work that has all events of a stream recounted, and then ends its quarantine. If the failure comes again, so does the
 * quarantine. A stream that was quarantined in the middle of a move is released once before its recount, since it can
 * be counted only after its move. Not thread-safe.
 */
final class RepairStreamWork extends Work {

    static final Kind<State> KIND = new Kind<>("repair-stream", State.class, RepairStreamWork::new);

    /**
     * Largest number of differences reported to the sender: a stream may have one for each of its executions. The audit
     * has all.
     */
    private static final int MOST_TOLD = 10;

    private final CommandNotes notes;
    private final Command.RepairStream command;
    private @Nullable String over;
    private @Nullable List<String> found;
    private @Nullable StreamState ordered;
    private @Nullable String problem;
    private boolean isAtWork;
    private boolean isAnswered;

    RepairStreamWork(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request());
        this.notes = parts.notes();
        this.command = (Command.RepairStream) request.command();
        this.over = state.over();
        this.found = state.found();
    }

    /**
     * Progress of the work as it is saved.
     *
     * @param over the reason of the quarantine that the command has ended before the recount; null if it has ended none
     * @param found the differences that the recount has found; null if it is not over
     */
    record State(
            CommandRequest request,
            @Nullable String over,
            @Nullable List<String> found) {

        static State of(CommandRequest request) {
            return new State(request, null, null);
        }
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        StreamState stream = context.store().stream(command.stream());
        if (stream == null) {
            return gone(nowMs);
        }
        if (request.isDryRun()) {
            return done(standing(stream), nowMs);
        }
        begin();
        if (problem != null) {
            fail(problem, nowMs);
            return Progress.DONE;
        }
        if (found != null) {
            String detail = text(end(stream), found);
            return done(detail, nowMs);
        }
        return stream.isMoving() ? waitForMove(stream, nowMs) : count(stream);
    }

    /** Ends the work on a stream that is gone: a stream that turns out to hold nothing is forgotten in its recount. */
    private Progress gone(long nowMs) {
        if (found != null) {
            return done(text(over, found), nowMs);
        }
        ended();
        String detail = "there is no stream " + command.stream();
        reply.refused(request, Refusal.NOT_FOUND, detail, Outcome.nothing(), nowMs);
        return Progress.DONE;
    }

    private static String standing(StreamState stream) {
        Quarantine quarantine = stream.quarantine();
        return quarantine == null ? "it is not quarantined" : "it is quarantined: " + quarantine.reason();
    }

    /**
     * Notes that the work has begun. A failure in the middle of a write undoes the transaction that holds the progress
     * of the work, which would then begin and fail again for ever; so {@code failures} remembers the beginning.
     */
    private void begin() {
        if (isAtWork) {
            return;
        }
        isAtWork = true;
        Failures failures = context.failures();
        if (failures.get(context.partition(), mark()) != null) {
            problem = failures.get(context.partition(), StreamGuard.nameOf(command.stream()));
        } else {
            context.guard().forget(command.stream());
        }
        failures.remember(context.partition(), mark(), "");
    }

    private String mark() {
        return "\0begun/" + request.commandId();
    }

    private void ended() {
        isAnswered = true;
        context.failures().forget(context.partition(), mark());
        context.guard().forget(command.stream());
    }

    private Progress waitForMove(StreamState stream, long nowMs) {
        Quarantine quarantine = stream.quarantine();
        if (quarantine == null) {
            return Progress.LATER;
        }
        if (over != null) {
            fail("it is quarantined again, since it cannot be rearranged: " + quarantine.reason(), nowMs);
            return Progress.DONE;
        }
        end(stream);
        return Progress.LATER;
    }

    /** Ends the quarantine; returns its reason if the command has ended one, now or before, else null. */
    private @Nullable String end(StreamState stream) {
        Quarantine quarantine = stream.quarantine();
        if (quarantine != null) {
            over = quarantine.reason();
            context.guard().release(stream);
        }
        return over;
    }

    private Progress count(StreamState stream) {
        if (ordered != stream) {
            ordered = stream;
            String reason = request.reason().isBlank() ? "" : " (" + request.reason() + ")";
            context.healing().order(stream, "asked for by " + request.actor() + reason, new Ordered());
        }
        return Progress.LATER;
    }

    /** Order of a recount, which may be committed before this work has its next turn. */
    private final class Ordered implements StreamHealing.Order {

        @Override
        public void counted(List<String> differences) {
            if (!isAnswered) {
                found = told(differences);
                notes.update(name(), state());
            }
        }

        @Override
        public void failed(String reason) {
            problem = "its events cannot be counted: " + reason;
        }
    }

    private static List<String> told(List<String> differences) {
        if (differences.size() <= MOST_TOLD) {
            return List.copyOf(differences);
        }
        List<String> first = new ArrayList<>(differences.subList(0, MOST_TOLD));
        first.add("and " + (differences.size() - MOST_TOLD) + " more");
        return first;
    }

    private static String text(@Nullable String over, List<String> found) {
        String quarantine = over == null ? "it was not quarantined" : "the quarantine has ended (it was: " + over + ")";
        return quarantine + "; "
                + (found.isEmpty() ? "the recount found no differences" : "mended: " + String.join("; ", found));
    }

    private Progress done(String detail, long nowMs) {
        ended();
        reply.done(request, detail, Outcome.nothing(), null, nowMs);
        return Progress.DONE;
    }

    @Override
    public void fail(String detail, long nowMs) {
        ended();
        reply.refused(request, Refusal.FAILED, detail, Outcome.nothing(), nowMs);
    }

    @Override
    public Object state() {
        return new State(request, over, found);
    }
}
