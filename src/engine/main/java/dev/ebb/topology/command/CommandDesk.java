package dev.ebb.topology.command;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Durations;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.command.Work.Progress;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.wire.ErrandBodies;
import dev.ebb.topology.wire.ErrandBodies.CarriedOut;
import dev.ebb.topology.wire.ErrandBodies.CarryOut;
import dev.ebb.topology.wire.ErrandBodies.Gather;
import dev.ebb.topology.wire.ErrandBodies.Gathered;
import dev.ebb.topology.wire.ErrandBodies.ParentQuestion;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.wire.ErrandDoor.Opened;
import dev.ebb.topology.wire.HoldConfirmations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Desk at which the commands of one partition arrive, and the questions of other partitions on their behalf. Each
 * becomes a piece of work that is written down, done in slices, and forgotten when its result is written: a crash in
 * its middle loses nothing and repeats nothing (O-11). Not thread-safe.
 */
public final class CommandDesk {

    /** Time for which results are remembered: at least as long as the topic of commands keeps its records. */
    private static final long REMEMBERED_MS = Duration.ofDays(8).toMillis();

    /** The verb of an unreadable command can be any text, of any length. */
    private static final int MAX_VERB = 64;

    /** The clocks of two instances differ; a point that lies further ahead was made up. */
    private static final long MOST_AHEAD_MS = Duration.ofMinutes(10).toMillis();

    private static final long FORGET_INTERVAL_MS = Duration.ofMinutes(1).toMillis();

    private final CommandContext context;
    private final CommandNotes notes;
    private final Reply reply;
    private final WorkParts parts;
    private final Map<String, Work> works = new LinkedHashMap<>();
    private final Set<Work> ready = new LinkedHashSet<>();
    private long nextForgetMs;

    public CommandDesk(CommandContext context) {
        this.context = context;
        this.parts = WorkParts.of(context);
        this.notes = parts.notes();
        this.reply = parts.reply();
        Works.all().forEach(this::resume);
    }

    private <S> void resume(WorkKind<S> kind) {
        notes.pending(kind.name(), kind.type()).forEach(state -> {
            Work work = kind.make(parts, state);
            works.put(work.name(), work);
            ready.add(work);
        });
    }

    /** Takes a command; returns the reason why it cannot be taken, or null. */
    @Nullable
    public Rejection take(CommandRequest request, InputRecord record, long nowMs) {
        if (request.command() instanceof Command.OfStream one) {
            byte[] key = one.stream().value().getBytes(StandardCharsets.UTF_8);
            // Under another key it would pass by the records of its stream that wait.
            if (isElsewhere(one.stream()) || !Arrays.equals(key, record.key())) {
                return passOn(record, key, context.partitionOf(one.stream()));
            }
        }
        takeHere(request, nowMs);
        return null;
    }

    private @Nullable Rejection passOn(InputRecord record, byte[] key, int toPartition) {
        Rejection problem = context.outbox().problemOfPassingOn(record, key);
        if (problem == null) {
            context.outbox().passOn(record, key, toPartition);
        }
        return problem;
    }

    private void takeHere(CommandRequest request, long nowMs) {
        CommandResult known = notes.result(request.commandId());
        if (known != null) {
            context.outbox().result(known, nowMs);
        } else if (isTooBig(request)) {
            reply.refused(request, Refusal.BAD_COMMAND, tooBig(), CommandCounts.NOTHING, nowMs);
        } else if (!isPending(request.commandId())) {
            reply.started(request.commandId(), nowMs);
            add(Works.begin(parts, request));
        }
    }

    /**
     * Returns true if the command is too big: it is remembered, and goes to other partitions, together with its
     * findings.
     */
    private boolean isTooBig(CommandRequest request) {
        int bytes = JsonState.write(request).getBytes(StandardCharsets.UTF_8).length;
        return bytes > context.outbox().limits().requestBytes();
    }

    private String tooBig() {
        return "the command takes more than " + context.outbox().limits().requestBytes()
                + " bytes as JSON, three quarters of record.max.bytes; split it into several commands";
    }

    /** Returns true if a command has an id under which its sender can be told the result. */
    public static boolean canAnswer(String commandId) {
        return StreamName.problem(commandId) == null && !HoldConfirmations.isIdOfOne(commandId);
    }

    /** Tells the sender of a command that cannot be read. */
    public void refuse(String commandId, String verb, String detail, long nowMs) {
        reply.unreadable(commandId, Shortened.to(MAX_VERB, verb), detail, nowMs);
    }

    /** Tells the sender of a command that was dropped while it waited for its turn. */
    public void drop(CommandRequest request, String detail, long nowMs) {
        if (notes.result(request.commandId()) == null && !isPending(request.commandId())) {
            reply.refused(request, Refusal.FAILED, detail, CommandCounts.NOTHING, nowMs);
        }
    }

    private boolean isElsewhere(StreamName stream) {
        return context.partitionOf(stream) != context.partition();
    }

    private boolean isPending(String commandId) {
        return Works.beginnings().stream()
                .anyMatch(kind -> works.containsKey(CommandNotes.name(kind.name(), commandId)));
    }

    /** Takes a question or an answer of another partition, which has come through the {@code ErrandDoor}. */
    public void take(Errand errand, Opened opened, long nowMs) {
        switch (errand.step()) {
            case ASK_PARENT -> parts.parents().answer(errand, opened.body(ParentQuestion.class), nowMs);
            case TELL_PARENT -> {
                ParentQuestion answer = opened.body(ParentQuestion.class);
                pass(errand, StreamsWork.KIND, StreamsWork.class, work -> work.tell(answer));
            }
            case GATHER -> gather(errand, opened.body(Gather.class));
            case GATHERED -> {
                Gathered answer = opened.body(Gathered.class);
                pass(errand, FanOut.KIND, FanOut.class, lead -> lead.gathered(errand.sender(), answer));
            }
            case CARRY_OUT -> carryOut(errand, opened.body(CarryOut.class));
            case CARRIED_OUT -> {
                CarriedOut answer = opened.body(CarriedOut.class);
                pass(errand, FanOut.KIND, FanOut.class, lead -> lead.carriedOut(errand.sender(), answer, nowMs));
            }
            case SWEEP -> sweep(errand, opened.body(ErrandBodies.SweepNow.class), nowMs);
            case SWEPT -> {
                Swept answer = opened.body(Swept.class);
                pass(errand, SweepFanOut.KIND, SweepFanOut.class, lead -> lead.swept(errand.sender(), answer));
            }
            case ASSESS, ASSESSED, FOLLOW -> throw new IllegalArgumentException("no errand of a command");
        }
    }

    private void gather(Errand errand, Gather question) {
        add(GatherWork.KIND.make(parts, new GatherWork.State(question, errand.sender())));
    }

    private void carryOut(Errand errand, CarryOut order) {
        add(StreamsWork.KIND.make(parts, StreamsWork.State.ofPart(order, errand.sender())));
    }

    private void sweep(Errand errand, ErrandBodies.SweepNow order, long nowMs) {
        Swept refusal = refusal(order, nowMs);
        if (refusal == null) {
            add(Works.share(parts, new Works.Share(order, errand.sender(), nowMs)));
        } else {
            context.send(errand.sender(), errand.commandId(), Errand.Step.SWEPT, refusal, nowMs);
        }
    }

    /** Refuses a sweep that cannot be begun; null if there is no reason to. */
    private @Nullable Swept refusal(ErrandBodies.SweepNow order, long nowMs) {
        if (order.request().isDryRun() || !(order.request().command() instanceof Command.SweepNow)) {
            return null;
        }
        if (order.pointMs() > nowMs + MOST_AHEAD_MS) {
            String detail = "the sweep point " + Instant.ofEpochMilli(order.pointMs()) + " lies in the future";
            return new Swept(CommandCounts.NOTHING, List.of(), 0, -1, Refusal.BAD_COMMAND, detail);
        }
        String problem = context.sweepProblem().get();
        return problem == null ? null : new Swept(CommandCounts.NOTHING, List.of(), 0, -1, Refusal.NOT_READY, problem);
    }

    /** Hands an answer to the work that waits for it; an answer for which no work waits any more is passed over. */
    private <T extends Work> void pass(Errand errand, WorkKind<?> kind, Class<T> type, Consumer<T> answer) {
        Work work = works.get(CommandNotes.name(kind.name(), errand.commandId()));
        if (work != null) {
            answer.accept(type.cast(work));
            wake(work);
        }
    }

    private void add(Work work) {
        works.put(work.name(), work);
        wake(work);
    }

    /** Wakes work and writes it down before the transaction ends, whether or not its turn comes in that transaction. */
    private void wake(Work work) {
        notes.save(work.name(), work.state());
        ready.add(work);
    }

    /** Goes on with the work that is ready, one piece after the other. */
    public void slice(long nowMs, SweepBudget budget) {
        if (!ready.isEmpty()) {
            work(nowMs, budget);
        }
        if (Durations.isOver(nextForgetMs, FORGET_INTERVAL_MS, nowMs)) {
            nextForgetMs = nowMs + FORGET_INTERVAL_MS;
            notes.forgetResults(nowMs - REMEMBERED_MS);
        }
    }

    private void work(long nowMs, SweepBudget budget) {
        List<Work> later = new ArrayList<>();
        while (!ready.isEmpty() && !budget.isSpent()) {
            Work work = ready.iterator().next();
            ready.remove(work);
            switch (step(work, nowMs, budget)) {
                case LATER -> {
                    notes.save(work.name(), work.state());
                    later.add(work);
                }
                case MORE -> {
                    notes.save(work.name(), work.state());
                    ready.add(work);
                }
                case WAITING -> notes.save(work.name(), work.state());
                case DONE -> forget(work);
            }
            budget.spendStep();
        }
        ready.addAll(later);
    }

    /** Takes a step; a failure of the command alone ends only it, and one in the middle of a write at the next try. */
    private Progress step(Work work, long nowMs, SweepBudget budget) {
        String failure = context.failures().get(context.partition(), work.name());
        if (failure != null) {
            work.fail(failure, nowMs);
            return Progress.DONE;
        }
        try {
            return work.step(nowMs, budget);
        } catch (RuntimeException e) {
            if (!StreamGuard.isOfOne(e)) {
                throw e;
            }
            if (context.guard().hasTorn()) {
                throw e;
            }
            if (context.store().isTorn()) {
                context.failures().remember(context.partition(), work.name(), StreamGuard.reason(e));
                throw e;
            }
            context.observer().commandFailed(context.partition(), work.request.commandId(), e);
            work.fail(StreamGuard.reason(e), nowMs);
            return Progress.DONE;
        }
    }

    private void forget(Work work) {
        context.failures().forget(context.partition(), work.name());
        works.remove(work.name());
        notes.forget(work.name());
    }

    /** Time at which the desk has something to do without a command. */
    public long nextMs() {
        return nextForgetMs;
    }

    /** Returns true if there is more to do at once. */
    public boolean isBusy() {
        return !ready.isEmpty();
    }
}
