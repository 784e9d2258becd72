package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult.Part;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.erase.EraseAccount;
import dev.ebb.topology.plan.PlanBook;
import dev.ebb.topology.wire.BiggestParts;
import dev.ebb.topology.wire.ErrandBodies;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Leads a sweep by hand, or a plan of single events: all partitions that are meant go about it at one point; adds up
 * their answers. Not thread-safe.
 */
final class SweepFanOut extends Work {

    static final Kind<State> KIND = new Kind<>("sweep-lead", State.class, SweepFanOut::new);

    /** Streams that are named where more would go than was planned. */
    private static final int MOST_NAMED = 10;

    private final TreeSet<Integer> waitsFor;
    private long pointMs;
    private CommandCounts counts;
    private final BiggestParts biggest;
    private long policyVersion;
    private @Nullable Refusal refusal;
    private String detail;
    private PlanTally tally;

    /** Account of an erasure whose partitions have all answered; null before. */
    private @Nullable EraseAccount account;

    SweepFanOut(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request());
        this.waitsFor = new TreeSet<>(state.waitsFor());
        this.pointMs = state.pointMs();
        this.counts = state.counts();
        this.biggest = new BiggestParts(
                state.parts(), state.partsLeftOut(), context.outbox().limits().partsBytes());
        this.policyVersion = state.policyVersion();
        this.refusal = state.refusal();
        this.detail = state.detail();
        this.tally = Objects.requireNonNullElse(state.plan(), PlanTally.NOTHING);
    }

    /**
     * Progress of the work as it is written down.
     *
     * @param waitsFor the partitions that have not answered
     * @param pointMs the time against which everything is decided; -1 before the question
     * @param plan what the partitions have listed, or done of a plan; null if a version wrote the state that had no plans
     */
    record State(
            CommandRequest request,
            List<Integer> waitsFor,
            long pointMs,
            CommandCounts counts,
            List<Part> parts,
            long partsLeftOut,
            long policyVersion,
            @Nullable Refusal refusal,
            String detail,
            @Nullable PlanTally plan) {

        static State of(CommandRequest request) {
            return new State(request, List.of(), -1, CommandCounts.NOTHING, List.of(), 0, -1, null, "", null);
        }
    }

    @Override
    void answered(int partition, Object answer, long nowMs) {
        if (waitsFor.remove(partition)) {
            add((Swept) answer);
            if (isErasure() && !waitsFor.isEmpty()) {
                reply.running(request, "", counts, nowMs);
            }
        }
    }

    private void add(Swept answer) {
        counts = counts.plus(answer.counts());
        tally = tally.plus(Objects.requireNonNullElse(answer.plan(), PlanTally.NOTHING));
        biggest.addAll(answer.parts(), answer.partsLeftOut());
        policyVersion = Math.max(policyVersion, answer.policyVersion());
        if (answer.refusal() != null || refusal == null) {
            refusal = answer.refusal();
            detail = isErasure() ? joined(answer.detail()) : answer.detail().isEmpty() ? detail : answer.detail();
        }
    }

    private boolean isErasure() {
        return request.command() instanceof Command.EraseEvents;
    }

    /** The details of all partitions: each names events that stay. */
    private String joined(String other) {
        boolean isNew = !other.isEmpty() && !detail.contains(other);
        return isNew ? (detail.isEmpty() ? other : detail + "; " + other) : detail;
    }

    @Override
    Progress step(long nowMs, SweepBudget budget) {
        if (pointMs < 0) {
            begin(request.command(), nowMs);
            return Progress.WAITING;
        }
        if (!waitsFor.isEmpty()) {
            return Progress.WAITING;
        }
        hold(nowMs);
        if (refusal != null) {
            reply.refused(request, refusal, detail, counts, nowMs);
        } else if (request.command() instanceof Command.SweepNow) {
            PlanOutcome plan = plan(tally, pointMs, nowMs);
            reply.swept(request, detail, counts, biggest, pointMs, policyVersion, plan, nowMs);
        } else if (isErasure() && !request.isDryRun()) {
            return closeCase(nowMs);
        } else {
            reply.done(request, detail, counts, plan(tally, pointMs, nowMs), nowMs);
        }
        return Progress.DONE;
    }

    /** Holds the findings of a second dry run against the plan of the first (T-7). */
    private void hold(long nowMs) {
        String planId = request.plan();
        if (refusal != null || planId == null || !request.isDryRun()) {
            return;
        }
        long version = context.policies().get().version();
        String problem = plans.confirm(planId, request, counts.eventsDeleted(), version, nowMs);
        if (problem != null) {
            refusal = Refusal.OTHER_PLAN;
            detail = problem + named();
        }
    }

    /** The streams of which more would go, the first of them. */
    private String named() {
        String streams = biggest.list().stream()
                .limit(MOST_NAMED)
                .map(part -> part.stream() + " (" + part.events() + ")")
                .collect(Collectors.joining(", "));
        return streams.isEmpty() ? "" : ": " + streams;
    }

    /** Nothing is told before it is known where bytes of the events may remain. */
    private Progress closeCase(long nowMs) {
        EraseAccount current = account;
        if (current == null) {
            current = new EraseAccount(context.copies(), request, nowMs);
            account = current;
        }
        AuditRecord record = current.record(context.partition(), counts, detail, nowMs);
        if (record == null) {
            return Progress.LATER;
        }
        context.store().send(() -> context.outbox().audit(record));
        reply.done(request, detail, counts, null, nowMs);
        return Progress.DONE;
    }

    private void begin(Command command, long nowMs) {
        Long atMs = atMs(command);
        pointMs = atMs == null ? nowMs : atMs;
        ErrandBodies.SweepNow order = new ErrandBodies.SweepNow(request, pointMs);
        partitions(command).forEach(partition -> {
            waitsFor.add(partition);
            send(partition, Errand.Step.SWEEP, order, nowMs);
        });
    }

    /** The time against which the plan, or the sender of a dry run, wants everything decided; null: now. */
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
    void fail(String problem, long nowMs) {
        reply.refused(request, Refusal.FAILED, problem, counts, nowMs);
    }

    @Override
    Object state() {
        return new State(
                request,
                new ArrayList<>(waitsFor),
                pointMs,
                counts,
                biggest.list(),
                biggest.leftOut(),
                policyVersion,
                refusal,
                detail,
                tally);
    }
}
