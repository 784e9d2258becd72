package dev.ebb.topology.work;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.removal.Removals;

/** Effects of removals from streams that live on, for one slice of one sweep or command. Not thread-safe. */
public final class StreamRemovals implements RemovalListener, AutoCloseable {

    private final CommandContext context;
    private final Removals removals;
    private final long policyVersion;
    private final long nowMs;
    private final RemovalCause causeOfExecutions;

    private StreamRemovals(CommandContext context, Removals removals, RemovalCause causeOfExecutions, long nowMs) {
        this.causeOfExecutions = causeOfExecutions;
        this.context = context;
        this.removals = removals;
        this.policyVersion = context.policies().get().version();
        this.nowMs = nowMs;
    }

    public static StreamRemovals ofCommand(CommandContext context, CommandRequest request, long nowMs) {
        return of(context, request.origin(), request.commandId(), RemovalCause.PRUNE, nowMs);
    }

    /** Returns the removals of a sweep by hand; the id of its command adds up the work of all partitions. */
    public static StreamRemovals ofSweep(CommandContext context, CommandRequest request, long nowMs) {
        return of(context, request.origin().asSweep(), request.commandId(), RemovalCause.MAX_AGE, nowMs);
    }

    private static StreamRemovals of(
            CommandContext context, Origin origin, String id, RemovalCause causeOfExecutions, long nowMs) {
        String auditId = id + "-" + context.partition() + "-" + context.store().nextAuditNumber();
        Removals removals = new Removals(context.outbox(), context.observer(), origin, auditId);
        return new StreamRemovals(context, removals, causeOfExecutions, nowMs);
    }

    @Override
    public void removed(StreamState stream, Removed removed) {
        removals.removed(removed, stream.policy(), policyVersion, nowMs);
    }

    @Override
    public void executionRemoved(StreamState stream, Execution execution) {
        removals.executionRemoved(stream, execution, causeOfExecutions, policyVersion, nowMs);
    }

    /** Sends the audit records: a failed command must not leave deletes behind that no audit record explains (I-5). */
    @Override
    public void close() {
        context.store().send(removals::close);
    }
}
