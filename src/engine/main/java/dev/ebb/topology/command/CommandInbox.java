package dev.ebb.topology.command;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.erase.EraseProgress;
import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.time.Durations;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.erase.EraseWork;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.plan.PlanBook;
import dev.ebb.topology.undo.UndoLead;
import dev.ebb.topology.undo.UndoWork;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.ErrandBodies.CarriedOut;
import dev.ebb.topology.wire.ErrandBodies.CarryOut;
import dev.ebb.topology.wire.ErrandBodies.Gather;
import dev.ebb.topology.wire.ErrandBodies.Gathered;
import dev.ebb.topology.wire.ErrandBodies.ParentQuestion;
import dev.ebb.topology.wire.ErrandBodies.Returning;
import dev.ebb.topology.wire.ErrandBodies.SweepNow;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.wire.ErrandDoor.Opened;
import dev.ebb.topology.wire.Fence;
import dev.ebb.topology.wire.HoldConfirmations;
import dev.ebb.topology.work.CommandContext;
import dev.ebb.topology.work.CommandNotes;
import dev.ebb.topology.work.Reply;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Inbox of the commands of one partition, together with questions that other partitions ask on behalf of commands. Each
 * becomes a piece of work; see {@link WorkQueue}. Not thread-safe.
 */
public final class CommandInbox {

    /** Time for which results are remembered: at least as long as the topic of commands keeps its records. */
    private static final long REMEMBERED_MS = Duration.ofDays(8).toMillis();

    /** Largest length of the verb of an unreadable command, which can be any text of any length. */
    private static final int MAX_VERB = 64;

    /**
     * Longest time by which a sweep point may lie ahead: the clocks of two instances differ, but a point further ahead
     * was made up.
     */
    private static final long MOST_AHEAD_MS = Duration.ofMinutes(10).toMillis();

    /** Start of a command that another partition leads. */
    private static final long NOT_HERE = Long.MAX_VALUE;

    private static final long FORGET_INTERVAL_MS = Duration.ofMinutes(1).toMillis();

    private final CommandContext context;
    private final CommandNotes notes;
    private final Reply reply;
    private final WorkParts parts;
    private final WorkQueue queue;
    private long nextForgetMs;

    public CommandInbox(CommandContext context) {
        this.context = context;
        this.parts = WorkParts.of(context);
        this.notes = parts.notes();
        this.reply = parts.reply();
        this.queue = new WorkQueue(parts);
        queue.requests()
                .filter(request -> notes.started(request.commandId(), NOT_HERE) != NOT_HERE)
                .forEach(request -> parts.crowd().enter(request, request.actor(), bytes(request)));
    }

    /** Takes a command; returns the reason why the command cannot be taken, or null if it can. */
    @Nullable
    public Rejection take(CommandRequest request, InputRecord record, long nowMs) {
        if (request.command() instanceof Command.OfStream one) {
            byte[] key = one.stream().value().getBytes(StandardCharsets.UTF_8);
            // Under another key the command would overtake the waiting records of its stream.
            if (!context.isHere(one.stream()) || !Arrays.equals(key, record.key())) {
                return passOn(record, key, context.partitionOf(one.stream()));
            }
        }
        if (request.isUnseenErasure() && !context.isHere(request.key())) {
            byte[] key = request.key().value().getBytes(StandardCharsets.UTF_8);
            return passOn(record, key, context.partitionOf(request.key()));
        }
        String place = context.partition() + "/" + record.offset();
        takeHere(new Work.Asked(request.from(place), known(record)), record.offset(), nowMs);
        return null;
    }

    private static @Nullable PolicyEdition known(InputRecord record) {
        long offset = EbbHeaders.number(record.headers(), EbbHeaders.KNOWN_POLICIES, -1);
        long lateChanges = EbbHeaders.number(record.headers(), EbbHeaders.LATE_CHANGES, 0);
        return offset < 0 ? null : new PolicyEdition(offset, lateChanges);
    }

    private @Nullable Rejection passOn(InputRecord record, byte[] key, int toPartition) {
        InputRecord sent = EbbHeaders.withOrigin(record);
        Rejection problem = context.outbox().problemOfPassingOn(sent, key);
        if (problem == null) {
            context.outbox().passOn(sent, key, toPartition);
        }
        return problem;
    }

    private void takeHere(Work.Asked asked, long offset, long nowMs) {
        CommandRequest request = asked.request();
        CommandResult known = notes.result(request.commandId());
        if (known != null) {
            context.outbox().result(known, nowMs);
        } else if (bytes(request) > context.outbox().limits().requestBytes()) {
            reply.refused(request, Refusal.BAD_COMMAND, tooBig(), Outcome.nothing(), nowMs);
        } else if (!isPending(request.commandId()) && letIn(request, nowMs)) {
            reply.started(request, nowMs);
            String plan = request.plan();
            if (plan == null) {
                queue.add(Works.begin(parts, asked), offset);
            } else {
                carryOut(plan, asked, offset, nowMs);
            }
        }
    }

    /** Begins to carry out a plan, which is used up from then on. */
    private void carryOut(String planId, Work.Asked asked, long offset, long nowMs) {
        CommandRequest request = asked.request();
        PlanBook.Use use = parts.plans().use(request, planId, nowMs);
        PlanBook.Note note = use.note();
        if (note == null) {
            Refusal refusal = Objects.requireNonNull(use.refusal());
            reply.refused(request, refusal, use.detail(), Outcome.nothing(), nowMs);
        } else {
            Command planned = request.isDryRun() ? note.request().command() : note.command();
            queue.add(Works.begin(parts, new Work.Asked(request.of(planned), asked.known())), offset);
        }
    }

    /** Returns the size of the command, with which it is saved and sent to other partitions. */
    private static int bytes(CommandRequest request) {
        return JsonState.write(request).getBytes(StandardCharsets.UTF_8).length;
    }

    /** Counts the command among the unfinished ones; refuses it and returns false if there are too many. */
    private boolean letIn(CommandRequest request, long nowMs) {
        int bytes = bytes(request);
        String problem = parts.crowd().problem(request, request.actor(), bytes);
        if (problem == null) {
            parts.crowd().enter(request, request.actor(), bytes);
        } else {
            reply.busy(request, problem, nowMs);
        }
        return problem == null;
    }

    private String tooBig() {
        return "the command takes more than " + context.outbox().limits().requestBytes()
                + " bytes as JSON, three quarters of record.max.bytes; split it into several commands";
    }

    /** Returns true if the id of the command can be used to send a result to its sender. */
    public static boolean canAnswer(String commandId) {
        return NameRule.problem(commandId) == null && !HoldConfirmations.isIdOfOne(commandId);
    }

    /** Reports to its sender that a command cannot be read. */
    public void refuse(String commandId, String verb, String detail, long nowMs) {
        CommandResult known = notes.result(commandId);
        if (known != null) {
            context.outbox().result(known, nowMs);
        } else if (!isPending(commandId)) {
            reply.unreadable(commandId, Shortened.to(MAX_VERB, verb), detail, nowMs);
        }
    }

    /** Reports to its sender that a command was dropped while it waited for its turn. */
    public void drop(CommandRequest request, String detail, long nowMs) {
        if (notes.result(request.commandId()) == null && !isPending(request.commandId())) {
            reply.refused(request, Refusal.FAILED, detail, Outcome.nothing(), nowMs);
        }
    }

    private boolean isAtWork(String commandId) {
        return queue.requests().anyMatch(request -> request.commandId().equals(commandId));
    }

    private boolean isPending(String commandId) {
        return Works.beginnings().stream().anyMatch(kind -> queue.holds(kind, commandId));
    }

    /**
     * Takes a question or an answer of another partition that has passed the {@code ErrandDoor}.
     *
     * @param offset the offset of its record on the topic of commands
     */
    public void take(Errand errand, Opened opened, long offset, long nowMs) {
        int sender = errand.sender();
        switch (errand.step()) {
            case ASK_PARENT -> parts.parents().answer(errand, opened.body(ParentQuestion.class), nowMs);
            case TELL_PARENT -> queue.answered(StreamsWork.KIND, errand, opened.body(ParentQuestion.class), nowMs);
            case GATHER -> begin(GatherWork.KIND, new GatherWork.State(opened.body(Gather.class), sender), offset);
            case GATHERED -> queue.answered(FanOut.KIND, errand, opened.body(Gathered.class), nowMs);
            case CARRY_OUT ->
                begin(StreamsWork.KIND, StreamsWork.State.ofPart(opened.body(CarryOut.class), sender), offset);
            case END_SEARCH -> parts.searches().end(errand.commandId());
            case CARRIED_OUT -> queue.answered(FanOut.KIND, errand, opened.body(CarriedOut.class), nowMs);
            case SWEEP -> sweep(errand, opened.body(SweepNow.class), offset, nowMs);
            case SWEPT -> queue.answered(lead(errand), errand, opened.body(Swept.class), nowMs);
            case RETURNING -> queue.answered(UndoLead.KIND, errand, opened.body(Returning.class), nowMs);
            case COMMITTED -> queue.answered(fenced(errand), errand, opened.body(Fence.class), nowMs);
            case ERASING -> queue.answered(SweepFanOut.KIND, errand, opened.body(EraseProgress.class), nowMs);
            case ASSESS, ASSESSED, CONFIGURED, CLOCK_AHEAD, LOG_HELD, LOG_RAISED, SOURCE_RESET, FOLLOW ->
                throw new IllegalArgumentException("no errand of a command");
        }
    }

    private Work.Kind<?> lead(Errand errand) {
        return queue.holds(UndoLead.KIND, errand.commandId()) ? UndoLead.KIND : SweepFanOut.KIND;
    }

    private Work.Kind<?> fenced(Errand errand) {
        return queue.holds(UndoWork.KIND, errand.commandId()) ? UndoWork.KIND : EraseWork.KIND;
    }

    private <S> void begin(Work.Kind<S> kind, S state, long offset) {
        queue.add(kind.make(parts, state), offset);
    }

    private void sweep(Errand errand, SweepNow order, long offset, long nowMs) {
        Swept refusal = refusal(order, nowMs);
        if (refusal == null) {
            queue.add(Works.share(parts, new Works.Share(order, errand.sender(), nowMs)), offset);
        } else {
            context.send(errand.sender(), errand.commandId(), Errand.Step.SWEPT, refusal, nowMs);
        }
    }

    /** Returns the refusal of a sweep that cannot begin; null if it can. */
    private @Nullable Swept refusal(SweepNow order, long nowMs) {
        if (order.request().isDryRun() || !(order.request().command() instanceof Command.SweepNow)) {
            return null;
        }
        if (order.pointMs() > nowMs + MOST_AHEAD_MS) {
            String detail = "the sweep point " + Instant.ofEpochMilli(order.pointMs()) + " lies in the future";
            return Swept.without(Outcome.nothing(), Refusal.BAD_COMMAND, detail);
        }
        String problem = context.sweepProblem().get();
        return problem == null ? null : Swept.without(Outcome.nothing(), Refusal.NOT_READY, problem);
    }

    /** Continues the work that is ready, one piece after the other. */
    public void slice(long nowMs, SweepBudget budget) {
        queue.slice(nowMs, budget);
    }

    /** Forgets results and plans whose time is over. */
    public void forget(long nowMs, SweepBudget budget) {
        if (Durations.isOver(nextForgetMs, FORGET_INTERVAL_MS, nowMs)) {
            notes.forgetResults(nowMs - REMEMBERED_MS);
            parts.searches().endThoseBefore(nowMs - REMEMBERED_MS, this::isAtWork);
            boolean areForgotten = parts.plans().forgetOld(nowMs, budget);
            nextForgetMs = areForgotten ? nowMs + FORGET_INTERVAL_MS : nowMs;
        }
    }

    /** Returns the time at which the inbox has something to do without a command. */
    public long nextMs() {
        return nextForgetMs;
    }

    /**
     * Returns the commands that this partition leads and that are not done: the start of the oldest, epoch
     * milliseconds, by verb.
     */
    public Map<String, Long> running() {
        Map<String, Long> oldest = new TreeMap<>();
        queue.requests().forEach(request -> {
            long startedMs = notes.started(request.commandId(), NOT_HERE);
            if (startedMs != NOT_HERE) {
                oldest.merge(request.command().verb(), startedMs, Math::min);
            }
        });
        return oldest;
    }

    /** Returns the number of commands that this partition leads and that are not done. */
    public TaskStatus.Crowd crowd() {
        return new TaskStatus.Crowd(parts.crowd().bulk(), parts.crowd().single());
    }

    /** Ends what commands run on other threads, because the task ends; the unfinished work stays saved. */
    public void close() {
        queue.close();
    }

    /** Returns true if there is more to do at once. */
    public boolean isBusy() {
        return queue.isBusy();
    }
}
