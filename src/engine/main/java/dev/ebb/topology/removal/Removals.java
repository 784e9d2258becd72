package dev.ebb.topology.removal;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.events.Removed;
import dev.ebb.store.events.RemovedExecution;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.trash.TrashTrail;
import dev.ebb.topology.trash.TrashTrail.DueBy;
import dev.ebb.topology.wire.EbbHeaders;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Effects of the removal of an event in one transaction (O-3): its audit entry, the tombstone for its row, its copy in
 * the trash, and its metrics. Each sweep, command or replacement has an object of its own. Not thread-safe.
 */
public final class Removals {

    private final Outbox outbox;
    private final RetentionObserver observer;
    private final AuditTrail audit;
    private final Origin origin;
    private final boolean isReplacement;
    private final TrashTrail trash;
    private @Nullable Reason lastReason;

    /** @param auditIdPrefix unique over all partitions and times */
    public Removals(Outbox outbox, RetentionObserver observer, Origin origin, String auditIdPrefix) {
        this.outbox = outbox;
        this.observer = observer;
        this.origin = origin;
        this.isReplacement = origin.equals(Origin.REPLACEMENT);
        this.audit = new AuditTrail(outbox, origin, auditIdPrefix);
        this.trash = new TrashTrail(outbox.trash(), origin);
    }

    /**
     * Explains and mirrors the removal, and archives the event.
     *
     * @param policy the policy in force for its stream
     * @param policyVersion the version of the policy set by which the removal was decided
     */
    public void removed(Removed removed, EffectivePolicy policy, long policyVersion, long nowMs) {
        if (policy.archive().value() && removed.cause().allowsCopies()) {
            RemovalRule rule = reason(removed.cause(), policy, policyVersion).rule();
            outbox.archive(removed, rule, origin, nowMs);
        }
        removedWithoutCopy(removed, policy, policyVersion, nowMs);
    }

    /** Explains and mirrors the removal of an event that is not archived, whatever its policy says. */
    public void removedWithoutCopy(Removed removed, EffectivePolicy policy, long policyVersion, long nowMs) {
        RemovalCause cause = removed.cause();
        EventHeader event = removed.event();
        Reason reason = reason(cause, policy, policyVersion);
        RemovalRule rule = reason.rule();
        long anchorMs = removed.facts().anchorMs(policy.anchor().value());
        long undoUntilMs = 0;
        DueBy dueBy = dueBy(removed, policy, nowMs);
        long undoMs = dueBy == DueBy.COMMAND ? reason.undoMsOfCommands() : reason.undoMs();
        if (undoMs > 0 && !outbox.isFinal(removed)) {
            undoUntilMs = trash.removed(removed, rule, undoMs, dueBy, nowMs);
        }
        audit.add(removed.stream(), event, cause, rule, anchorMs, undoUntilMs, nowMs);
        outbox.mirrorDelete(removed.stream(), event, reason.headers(), nowMs);
        if (!isReplacement) {
            outbox.tombstone(removed, rule, policyVersion, origin, nowMs);
            observer.deleted(removed.stream(), cause, rule, event.sizeBytes(), latenessMs(removed, policy, nowMs));
        }
    }

    /**
     * Mirrors the removal of an execution.
     *
     * @param cause the cause of its removal as an undo sees it
     */
    public void executionRemoved(
            StreamState stream, Execution execution, RemovalCause cause, long policyVersion, long nowMs) {
        outbox.mirrorExecutionDelete(stream.stream(), execution.number(), nowMs);
        Segment segment = stream.segment(execution.number());
        long openSinceMs = segment == null ? 0 : segment.openSinceMs();
        RemovedExecution kept = new RemovedExecution(execution, openSinceMs, stream.parent());
        trash.removed(stream.stream(), stream.sid(), kept, cause, stream.policy(), policyVersion, nowMs);
    }

    /** Keeps in the trash an execution of a stream that a command has deleted. */
    public void keep(Retired stream, RemovedExecution kept, PolicySet policies, long nowMs) {
        EffectivePolicy policy = policies.effective(stream.stream());
        trash.removed(stream.stream(), stream.sid(), kept, stream.cause(), policy, policies.version(), nowMs);
    }

    private Reason reason(RemovalCause cause, EffectivePolicy policy, long policyVersion) {
        Reason known = lastReason;
        if (known == null || !known.is(cause, policy, policyVersion)) {
            RemovalRule rule = RemovalRule.of(cause, policy, policyVersion);
            long undoMsOfCommands = isReplacement ? 0 : trash.undoMsOfCommands(policy);
            known = new Reason(
                    cause, policy, policyVersion, rule, headers(cause, rule), undoMs(cause, policy), undoMsOfCommands);
            lastReason = known;
        }
        return known;
    }

    /** Returns the one who has made the event due; a bound that shortens a TTL is the work of the policy. */
    private static DueBy dueBy(Removed removed, EffectivePolicy policy, long nowMs) {
        if (removed.cause().isByTime() && removed.event().ttl().isByCommand()) {
            return DueBy.COMMAND;
        }
        boolean isByOwnTtl =
                removed.cause() == RemovalCause.TTL && RetentionDecider.isPastByOwnTtl(removed.facts(), policy, nowMs);
        return isByOwnTtl ? DueBy.PRODUCER : DueBy.POLICY;
    }

    /**
     * Returns the time for which the removal can be undone; 0 for a replacement, since no event is lost: its successor
     * has its id.
     */
    private long undoMs(RemovalCause cause, EffectivePolicy policy) {
        return isReplacement ? 0 : trash.undoMs(cause, policy);
    }

    /** Returns the headers that give a tombstone its reason (O-3); all removals for one reason share them. */
    private Headers headers(RemovalCause cause, RemovalRule rule) {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.CAUSE, cause.name());
        EbbHeaders.set(headers, EbbHeaders.SCOPE, rule.scope());
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, rule.policyVersion());
        EbbHeaders.set(headers, EbbHeaders.SWEEP_ID, origin.sweepId());
        if (!origin.commandId().isEmpty()) {
            EbbHeaders.set(headers, EbbHeaders.COMMAND_ID, origin.commandId());
        }
        headers.setReadOnly();
        return headers;
    }

    /** Reason of a removal, kept because it is equal for runs of events and need not be computed for each of them. */
    private record Reason(
            RemovalCause cause,
            EffectivePolicy policy,
            long policyVersion,
            RemovalRule rule,
            Headers headers,
            long undoMs,
            long undoMsOfCommands) {

        boolean is(RemovalCause otherCause, EffectivePolicy otherPolicy, long otherVersion) {
            return cause == otherCause && policy.equals(otherPolicy) && policyVersion == otherVersion;
        }
    }

    /** Sends the collected audit records; must be called before the punctuation ends. */
    public void close() {
        audit.close();
    }

    private static long latenessMs(Removed removed, EffectivePolicy policy, long nowMs) {
        return removed.cause().isByTime() ? nowMs - RetentionDecider.dueAtMs(removed.facts(), policy) : -1;
    }
}
