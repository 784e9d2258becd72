package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandProgress;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Outcome.Parts;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.erase.EraseFindings;
import dev.ebb.domain.erase.EraseLimit;
import dev.ebb.domain.erase.EraseProgress;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.SpentHour;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.source.Source;
import dev.ebb.topology.assess.HourBudget;
import dev.ebb.topology.assess.NamespaceLosses;
import dev.ebb.topology.erase.EraseAccount;
import dev.ebb.topology.erase.EraseBrake;
import dev.ebb.topology.erase.EraseCount;
import dev.ebb.topology.plan.PlanBook;
import dev.ebb.topology.plan.PlannedBrake;
import dev.ebb.topology.wire.BiggestParts;
import dev.ebb.topology.wire.ErrandBodies;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Work that leads a sweep by hand, a plan of single events or another command on partitions: all partitions concerned
 * carry it out at one point, and their answers are added up. Not thread-safe.
 */
final class SweepFanOut extends Work.Awaiting {

    static final Kind<State> KIND = new Kind<>("sweep-lead", State.class, SweepFanOut::new);

    /** Largest number of streams that are named where more would go than was planned. */
    private static final int MOST_NAMED = 10;

    private static final long TELL_INTERVAL_MS = 1000;

    private final HourBudget budget;
    private final TreeSet<Integer> waitsFor;
    private long pointMs;
    private Outcome outcome;
    private final BiggestParts biggest;
    private @Nullable Refusal refusal;
    private String detail;
    private PlanTally tally;

    /** Findings of the partitions that have erased; null for any other command. */
    private @Nullable EraseFindings erased;

    /** True while the partitions count the events of an erasure, before any goes (T-15). */
    private boolean isCounting;

    /** Sum of the events that the brake counts for a file of policies; null for any other command. */
    private @Nullable BrakeFinding brake;

    /** Events of an erasure by the count of the brake. */
    private EraseCount counted;

    /** Progress of the erasing partitions; they report it again after a crash. */
    private final Map<Integer, EraseProgress> progress = new TreeMap<>();

    /** Number of events looked at in the partitions that are done. */
    private long readBefore;

    private long toldMs;

    /** Account of an erasure whose partitions have all answered; null before. */
    private @Nullable EraseAccount account;

    SweepFanOut(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request(), state.known());
        this.budget = parts.erased();
        this.waitsFor = new TreeSet<>(state.waitsFor());
        this.pointMs = state.pointMs();
        this.biggest = new BiggestParts(Parts.NONE, context.outbox().limits().partsBytes());
        this.outcome = withoutParts(state.outcome());
        this.refusal = state.refusal();
        this.detail = state.detail();
        this.tally = Objects.requireNonNullElse(state.plan(), PlanTally.NOTHING);
        this.erased = state.erased();
        this.isCounting = state.isCounting();
        this.brake = state.brake();
        this.counted = Objects.requireNonNullElse(state.counted(), EraseCount.NOTHING);
    }

    /**
     * Progress of the work as it is saved.
     *
     * @param waitsFor the partitions that have not answered
     * @param pointMs the time against which everything is decided; -1 before the question
     * @param outcome the sum of the answers
     * @param plan tally of the events that the partitions have listed, or of the plan; null if none has yet
     * @param erased findings of the partitions that have erased; null for any other command
     * @param isCounting true while the partitions count the events of an erasure
     * @param brake sum of the events that the brake counts for a file of policies; null for any other command
     * @param counted events of an erasure by the count of the brake; null for any other command
     * @param known the policies that the sender of the command has seen, for which the work waits; null if unknown
     */
    record State(
            CommandRequest request,
            List<Integer> waitsFor,
            long pointMs,
            Outcome outcome,
            @Nullable Refusal refusal,
            String detail,
            @Nullable PlanTally plan,
            @Nullable EraseFindings erased,
            boolean isCounting,
            @Nullable BrakeFinding brake,
            @Nullable EraseCount counted,
            @Nullable PolicyEdition known) {

        /**
         * Returns the first state. Only work that policies decide waits for policies; a record that waits to be read
         * may be one.
         */
        static State of(Work.Asked asked) {
            boolean isDecidedByPolicies = asked.request().command() instanceof Command.SweepNow
                    || asked.request().command() instanceof Command.EmptySource
                    || asked.request().plan() != null;
            return new State(
                    asked.request(),
                    List.of(),
                    -1,
                    Outcome.nothing(),
                    null,
                    "",
                    null,
                    null,
                    false,
                    null,
                    null,
                    isDecidedByPolicies ? asked.known() : null);
        }
    }

    /** A plan of one stream keeps its place until the share of the partition has come and is done. */
    @Override
    public List<String> streams() {
        return request.command() instanceof Command.OfStream one && context.isHere(one.stream())
                ? List.of(one.stream().value())
                : List.of();
    }

    @Override
    public void answered(int partition, Object answer, long nowMs) {
        if (answer instanceof EraseProgress told) {
            if (waitsFor.contains(partition)) {
                progress.put(partition, told);
                tell(nowMs);
            }
        } else if (isOfThisRound((Swept) answer) && waitsFor.remove(partition)) {
            EraseProgress last = progress.remove(partition);
            readBefore += last == null ? 0 : Math.max(last.read(), last.stored());
            add(partition, (Swept) answer);
        }
    }

    /** Returns true unless the answer of a count comes again later, or another answer comes before the count is over. */
    private boolean isOfThisRound(Swept answer) {
        return answer.refusal() != null || answer.isCount() == isCounting;
    }

    private void add(int partition, Swept answer) {
        Outcome told = answer.outcome();
        if (!outcome.isAddable(told)) {
            // Any client may have sent it; its counts mean something else than those of the other partitions.
            refusal = Refusal.FAILED;
            detail = "partition " + partition + " has answered another command";
            return;
        }
        addBrake(partition, answer.brake());
        outcome = outcome.and(withoutParts(told));
        tally = tally.plus(Objects.requireNonNullElse(answer.plan(), PlanTally.NOTHING));
        if (answer.refusal() != null || refusal == null) {
            refusal = answer.refusal();
            detail = answer.detail().isEmpty() ? detail : answer.detail();
        }
        if (answer.erased() != null) {
            erased = findings().plus(answer.erased());
        }
    }

    /** Takes the parts out of the outcome, to be kept as far as they fit. */
    private Outcome withoutParts(Outcome told) {
        if (told instanceof Outcome.Swept sweep) {
            biggest.addAll(sweep.parts());
            return sweep.with(Parts.NONE);
        }
        return told;
    }

    private void addBrake(int partition, @Nullable BrakeFinding finding) {
        if (finding == null) {
            return;
        }
        if (isOfMatches()) {
            counted = counted.with(partition, finding, context.partitions());
        } else {
            BrakeFinding all = brake == null ? finding : brake.plus(finding);
            brake = all.largest(NamespaceLosses.MOST_LISTED);
        }
    }

    /** Reports the progress of the partitions to the sender, at most once a second. */
    private void tell(long nowMs) {
        if (nowMs - toldMs >= TELL_INTERVAL_MS) {
            toldMs = nowMs;
            Outcome gone = outcome;
            for (EraseProgress one : progress.values()) {
                Deleted more = Deleted.events(one.events(), one.bytes());
                gone = isCounting || !gone.isAddable(more) ? gone : gone.and(more);
            }
            reply.running(request, gone, progress(), nowMs);
        }
    }

    private boolean isOfMatches() {
        return request.command() instanceof Command.OfMatches;
    }

    private CommandProgress progress() {
        long read = readBefore;
        long stored = readBefore;
        for (EraseProgress one : progress.values()) {
            read += one.read();
            stored += Math.max(one.read(), one.stored());
        }
        PlanBook.Note plan = request.plan() == null ? null : plans.find(request.plan());
        return new CommandProgress(
                read, plan == null ? stored : Math.max(read, plan.planned().events()));
    }

    private EraseFindings findings() {
        return Objects.requireNonNullElse(erased, EraseFindings.NOTHING);
    }

    /** Returns the details of the answers, together with the findings of an erasure. */
    private String words() {
        String found = findings().detail(request.isDryRun());
        return detail.isEmpty() || found.isEmpty() ? detail + found : detail + "; " + found;
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        if (pointMs < 0) {
            Progress waiting = awaitPolicies(nowMs);
            if (waiting == null && isRead(request.command())) {
                reply.refused(
                        request,
                        Refusal.NOT_READY,
                        "the source is being read; pause it first",
                        Outcome.nothing(),
                        nowMs);
                return Progress.DONE;
            }
            if (waiting == null) {
                begin(request.command(), nowMs);
            }
            return waiting == null ? Progress.WAITING : waiting;
        }
        if (!waitsFor.isEmpty()) {
            return Progress.WAITING;
        }
        if (isCounting && refusal == null) {
            return afterCount(nowMs);
        }
        hold(nowMs);
        if (refusal != null) {
            reply.refused(request, refusal, words(), withParts(), nowMs);
        } else if (outcome instanceof Outcome.Swept) {
            PlanOutcome plan = plan(tally, pointMs, brake, nowMs);
            PlannedBrake verdict = verdict(nowMs);
            String separator = detail.isEmpty() || verdict.text().isEmpty() ? "" : "; ";
            Outcome all = verdict.isHeldBack() && withParts() instanceof Outcome.Swept swept
                    ? swept.heldBackByBrake()
                    : withParts();
            reply.done(request, detail + separator + verdict.text(), all, plan, nowMs);
        } else if (request.command() instanceof Command.EraseEvents && !request.isDryRun()) {
            return closeCase(nowMs);
        } else {
            reply.done(request, words(), outcome, plan(tally, pointMs, nowMs), nowMs);
        }
        return Progress.DONE;
    }

    /** Returns true for a deletion of events of a source that goes on making events. */
    private boolean isRead(Command command) {
        Source source = command instanceof Command.EmptySource empty && !request.isDryRun()
                ? context.policies().get().sources().get(empty.source())
                : null;
        return source != null && !source.isPaused();
    }

    /** Returns the outcome as it is reported and saved. */
    private Outcome withParts() {
        return outcome instanceof Outcome.Swept sweep ? sweep.with(biggest.all()) : outcome;
    }

    /**
     * Compares the findings of a second dry run with the plan of the first (T-7). If the file may be applied, the
     * result also counts the events that have fallen due since and would go as well.
     */
    private void hold(long nowMs) {
        String planId = request.plan();
        if (refusal != null || planId == null || !request.isDryRun()) {
            return;
        }
        PolicySet inForce = context.policies().get();
        String problem = plans.confirm(planId, request, outcome.deletions().eventsDeleted(), inForce, nowMs);
        if (problem != null) {
            refusal = Refusal.OTHER_PLAN;
            detail = problem + named();
        } else {
            long dueSince = Math.max(tally.planned().events(), brakedSince(planId));
            outcome = outcome instanceof Outcome.Swept sweep ? sweep.plus(Deleted.events(dueSince, 0)) : outcome;
        }
    }

    /** Returns the number of events by which the count of the brake has grown since the plan was made. */
    private long brakedSince(String planId) {
        PlanBook.Note note = plans.find(planId);
        BrakeFinding planned = note == null ? null : note.brake();
        return brake == null || planned == null ? 0 : Math.max(0, brake.wouldDelete() - planned.wouldDelete());
    }

    /** Returns the verdict of the brake on the file of a dry run. */
    private PlannedBrake verdict(long nowMs) {
        SpentHour spent = context.view().get().spent();
        return PlannedBrake.of(brake, context.brakeLimits(), namespace -> spent.of(namespace, nowMs));
    }

    /** Names the first streams from which more would go. */
    private String named() {
        String streams = biggest.list().stream()
                .limit(MOST_NAMED)
                .map(part -> part.stream() + " (" + part.events() + ")")
                .collect(Collectors.joining(", "));
        return streams.isEmpty() ? "" : ": " + streams;
    }

    /** Ends an erasure; nothing is reported before it is known where bytes of the events may remain. */
    private Progress closeCase(long nowMs) {
        EraseAccount current = account;
        if (current == null) {
            current = new EraseAccount(context.copies(), request, findings().rest(), nowMs);
            account = current;
        }
        AuditRecord record = current.record(outcome.deletions(), findings(), words(), nowMs);
        if (record == null) {
            return Progress.LATER;
        }
        context.store().send(() -> context.outbox().audit(record));
        reply.done(request, words(), outcome, plan(tally, pointMs, nowMs), nowMs);
        return Progress.DONE;
    }

    /** Begins an erasure whose events were counted, unless the brake refuses it. */
    private Progress afterCount(long nowMs) {
        EraseBrake.Refused refused = EraseBrake.verdict(
                request, counted.sum(), context.brakeLimits(), namespace -> budget.of(namespace, nowMs));
        if (refused != null) {
            reply.refused(request, refused.refusal(), refused.detail(), Outcome.nothing(), nowMs);
            return Progress.DONE;
        }
        isCounting = false;
        readBefore = 0;
        if (request.maxDeletes() == null) {
            // Later erasures of the hour may take less (T-15), even if not all orders can be sent.
            budget.spend(counted.sum().namespaces(), nowMs);
        }
        order(request.command(), partition -> counted.limit(partition, context.partitions(), request), nowMs);
        return Progress.WAITING;
    }

    private void begin(Command command, long nowMs) {
        Long atMs = atMs(command);
        pointMs = atMs == null ? nowMs : atMs;
        isCounting = EraseBrake.mustCount(request, context.brakeLimits());
        order(command, partition -> null, nowMs);
    }

    /** @param limits returns the most events that an erasure may take from a partition; null for any number */
    private void order(Command command, IntFunction<@Nullable EraseLimit> limits, long nowMs) {
        CommandRequest asked = isCounting ? request.asDryRun() : request;
        PolicyEdition awaited = awaitedHere();
        partitions(command).forEach(partition -> {
            waitsFor.add(partition);
            ErrandBodies.SweepNow order =
                    new ErrandBodies.SweepNow(asked, pointMs, isCounting, limits.apply(partition), awaited);
            send(partition, Errand.Step.SWEEP, order, nowMs);
        });
    }

    /** Returns the policies to wait for: those that the streams here follow, and those of the plan (T-6). */
    private PolicyEdition awaitedHere() {
        PlanBook.Note planned = request.plan() == null ? null : plans.find(request.plan());
        PolicyEdition known = context.view().get().reflected();
        return planned == null ? known : known.withVersion(planned.policyVersion());
    }

    /** Returns the time against which the plan, or the sender of a dry run, wants everything decided; null for now. */
    private @Nullable Long atMs(Command command) {
        String planId = request.plan();
        PlanBook.Note planned = planId == null ? null : plans.find(planId);
        if (planned != null) {
            return planned.pointMs();
        }
        return command instanceof Command.SweepNow sweep ? sweep.atMs() : null;
    }

    private IntStream partitions(Command command) {
        if (command instanceof Command.OfStream one) {
            return IntStream.of(context.partitionOf(one.stream()));
        }
        return command instanceof Command.OfPartitions many && many.scope().kind() == Scope.Kind.STREAM
                ? IntStream.of(context.partitionOf(new StreamName(many.scope().name())))
                : IntStream.range(0, context.partitions());
    }

    @Override
    public void end(Refusal why, String problem, long nowMs) {
        if (waitsFor.isEmpty() || isCounting) {
            reply.refused(request, why, problem, withParts(), nowMs);
        } else {
            reply.brokenOff(request, why, problem, withParts(), nowMs);
        }
    }

    @Override
    public Object state() {
        return new State(
                request,
                new ArrayList<>(waitsFor),
                pointMs,
                withParts(),
                refusal,
                detail,
                tally,
                erased,
                isCounting,
                brake,
                isOfMatches() ? counted : null,
                awaited());
    }
}
