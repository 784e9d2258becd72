package dev.ebb.topology;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.serde.JsonState;
import dev.ebb.store.ParkedRecord;
import dev.ebb.topology.ErrandBodies.CarriedOut;
import dev.ebb.topology.ErrandBodies.CarryOut;
import dev.ebb.topology.ErrandBodies.Gather;
import dev.ebb.topology.ErrandBodies.Gathered;
import dev.ebb.topology.ErrandBodies.ParentQuestion;
import dev.ebb.topology.ErrandBodies.Swept;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where commands arrive in one partition, and what other partitions ask for on their behalf. Each becomes a piece of work
 * that is written down, done in slices, and forgotten when its result is: so that a crash in its middle loses nothing and
 * repeats nothing (O-11). Not thread-safe.
 */
final class CommandDesk {

    /** Results are remembered for at least as long as the topic of commands keeps its records. */
    private static final long REMEMBERED_MS = Duration.ofDays(8).toMillis();

    private static final long FORGET_INTERVAL_MS = Duration.ofMinutes(1).toMillis();

    private final CommandContext context;
    private final CommandNotes notes;
    private final Reply reply;
    private final ParentCheck parents;
    private final Candidates candidates;
    private final Map<String, Work> works = new LinkedHashMap<>();
    private final Deque<Work> ready = new ArrayDeque<>();
    private long nextForgetMs;

    CommandDesk(CommandContext context) {
        this.context = context;
        this.notes = new CommandNotes(context.store());
        this.reply = new Reply(context.outbox(), notes);
        this.parents = new ParentCheck(context);
        this.candidates = new Candidates(context);
        notes.pending(StreamsWork.KIND, StreamsWork.State.class)
                .forEach(state -> resume(StreamsWork.KIND, new StreamsWork(context, parents, reply, state)));
        notes.pending(FanOut.KIND, FanOut.State.class)
                .forEach(state -> resume(FanOut.KIND, new FanOut(context, reply, state)));
        notes.pending(SweepFanOut.KIND, SweepFanOut.State.class)
                .forEach(state -> resume(SweepFanOut.KIND, new SweepFanOut(context, reply, state)));
        notes.pending(SweepWork.KIND, SweepWork.State.class)
                .forEach(state -> resume(SweepWork.KIND, new SweepWork(context, state)));
        notes.pending(EventWork.KIND, CommandRequest.class)
                .forEach(request -> resume(EventWork.KIND, new EventWork(context, reply, request)));
    }

    /** Takes a command that somebody sent. */
    void take(CommandRequest request, ParkedRecord record, long nowMs) {
        if (request.command() instanceof Command.OfStream one && isElsewhere(one.stream())) {
            byte[] key = one.stream().value().getBytes(StandardCharsets.UTF_8);
            context.outbox().passOn(record, key, context.partitionOf(one.stream()));
            return;
        }
        CommandResult known = notes.result(request.commandId());
        if (known != null) {
            context.outbox().result(known, nowMs);
        } else if (!isPending(request.commandId())) {
            reply.started(request.commandId(), nowMs);
            begin(request);
        }
    }

    /** A command that cannot be read; returns false if nobody can be told. */
    boolean refuse(String commandId, String verb, String detail, long nowMs) {
        if (commandId.isEmpty()) {
            return false;
        }
        reply.unreadable(commandId, verb, detail, nowMs);
        return true;
    }

    private boolean isElsewhere(StreamName stream) {
        return context.partitionOf(stream) != context.partition();
    }

    private boolean isPending(String commandId) {
        return List.of(StreamsWork.KIND, FanOut.KIND, SweepFanOut.KIND, EventWork.KIND).stream()
                .anyMatch(kind -> works.containsKey(kind + "/" + commandId));
    }

    private void begin(CommandRequest request) {
        Command command = request.command();
        if (command instanceof Command.DeleteStream || command instanceof Command.PruneStream) {
            List<String> streams = List.of(((Command.OfStream) command).stream().value());
            StreamsWork.State state = StreamsWork.State.of(request, request.isDryRun(), streams, null, 0);
            add(StreamsWork.KIND, new StreamsWork(context, parents, reply, state));
        } else if (command instanceof Command.OfStream) {
            add(EventWork.KIND, new EventWork(context, reply, request));
        } else if (command instanceof Command.SweepNow) {
            add(SweepFanOut.KIND, new SweepFanOut(context, reply, SweepFanOut.State.of(request)));
        } else {
            add(FanOut.KIND, new FanOut(context, reply, FanOut.State.of(request)));
        }
    }

    /** Takes what another partition asks or answers. */
    void take(Errand errand, long nowMs) {
        switch (errand.step()) {
            case ASK_PARENT -> parents.answer(errand, nowMs);
            case TELL_PARENT -> tell(errand);
            case GATHER -> gather(errand, nowMs);
            case GATHERED ->
                lead(
                        errand,
                        FanOut.class,
                        lead -> lead.gathered(errand.sender(), JsonState.read(errand.body(), Gathered.class)));
            case CARRY_OUT -> carryOut(errand);
            case CARRIED_OUT ->
                lead(
                        errand,
                        FanOut.class,
                        lead -> lead.carriedOut(JsonState.read(errand.body(), CarriedOut.class), nowMs));
            case SWEEP -> sweep(errand, nowMs);
            case SWEPT ->
                lead(
                        errand,
                        SweepFanOut.class,
                        lead -> lead.swept(errand.sender(), JsonState.read(errand.body(), Swept.class)));
            case ASSESS, ASSESSED -> throw new IllegalArgumentException("no errand of a command");
        }
    }

    private void tell(Errand errand) {
        Work work = works.get(StreamsWork.KIND + "/" + errand.commandId());
        if (work instanceof StreamsWork streams) {
            streams.tell(JsonState.read(errand.body(), ParentQuestion.class));
            wake(work);
        }
    }

    private void gather(Errand errand, long nowMs) {
        Gathered answer = candidates.find(JsonState.read(errand.body(), Gather.class));
        context.send(errand.sender(), errand.commandId(), Errand.Step.GATHERED, answer, nowMs);
    }

    private void carryOut(Errand errand) {
        CarryOut order = JsonState.read(errand.body(), CarryOut.class);
        StreamsWork.State state = StreamsWork.State.of(
                order.request(), order.isDryRun(), order.streams(), errand.sender(), order.round());
        add(StreamsWork.KIND, new StreamsWork(context, parents, reply, state));
    }

    private void sweep(Errand errand, long nowMs) {
        ErrandBodies.SweepNow order = JsonState.read(errand.body(), ErrandBodies.SweepNow.class);
        String problem = context.sweepProblem().get();
        if (problem != null && !order.request().isDryRun()) {
            Swept answer = new Swept(CommandCounts.NOTHING, List.of(), -1, Refusal.NOT_READY, problem);
            context.send(errand.sender(), errand.commandId(), Errand.Step.SWEPT, answer, nowMs);
            return;
        }
        SweepWork.State state = SweepWork.State.of(order.request(), order.pointMs(), errand.sender(), nowMs);
        add(SweepWork.KIND, new SweepWork(context, state));
    }

    private <T extends Work> void lead(Errand errand, Class<T> type, Consumer<T> answer) {
        String kind = type == FanOut.class ? FanOut.KIND : SweepFanOut.KIND;
        Work work = works.get(kind + "/" + errand.commandId());
        if (work != null) {
            answer.accept(type.cast(work));
            wake(work);
        }
    }

    private void resume(String kind, Work work) {
        works.put(kind + "/" + work.request().commandId(), work);
        ready.add(work);
    }

    private void add(String kind, Work work) {
        works.put(kind + "/" + work.request().commandId(), work);
        work.save(notes);
        ready.add(work);
    }

    /** It is written down before the transaction ends, whether or not its turn comes in it. */
    private void wake(Work work) {
        work.save(notes);
        if (!ready.contains(work)) {
            ready.add(work);
        }
    }

    /** Goes on with what is ready, one piece of work after the other. */
    void slice(long nowMs, SweepBudget budget) {
        List<Work> later = new ArrayList<>();
        while (!ready.isEmpty() && !budget.isSpent()) {
            Work work = ready.remove();
            switch (work.step(nowMs, budget)) {
                case LATER -> {
                    work.save(notes);
                    later.add(work);
                }
                case MORE -> {
                    work.save(notes);
                    ready.add(work);
                }
                case WAITING -> work.save(notes);
                case DONE -> forget(work);
            }
            budget.spendStep();
        }
        ready.addAll(later);
        if (nowMs >= nextForgetMs) {
            nextForgetMs = nowMs + FORGET_INTERVAL_MS;
            notes.forgetResults(nowMs - REMEMBERED_MS);
        }
    }

    private void forget(Work work) {
        works.values().remove(work);
        work.forget(notes);
    }

    /** Whether there is more to do at once. */
    boolean isBusy() {
        return !ready.isEmpty();
    }

    /** How many commands are under way in this partition. */
    int pending() {
        return works.size();
    }

    /** A hint for whoever asks why nothing happens; null if nothing waits. */
    @Nullable
    String waitsFor() {
        return works.isEmpty() ? null : works.size() + " commands are under way";
    }
}
