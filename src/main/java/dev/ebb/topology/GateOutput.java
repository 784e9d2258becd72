package dev.ebb.topology;

import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.Confirmation;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.WaitingPolicy;
import dev.ebb.serde.DecodedPolicy;
import dev.ebb.store.ParkedRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** What the policy gate says: accepted records and marks to all instances, and what it sets aside. Not thread-safe. */
final class GateOutput {

    private final TopologyParts parts;
    private final ProcessorContext<Addressed, byte[]> context;
    private long markedOffset = -1;
    private @Nullable String markedReason;
    private List<WaitingPolicy> markedWaiting = List.of();
    private boolean hasMarked;

    GateOutput(TopologyParts parts, ProcessorContext<Addressed, byte[]> context) {
        this.parts = parts;
        this.context = context;
    }

    /** The newest offset of the topic of policies that every instance sees, or is about to see; -1 for none. */
    long markedOffset() {
        return markedOffset;
    }

    /**
     * Puts a record into force.
     *
     * @param change what it comes into force with
     * @param confirmation who let it through; null if nobody had to
     * @return the bytes that are accepted; null removes
     */
    byte @Nullable [] accept(PolicyVerdict verdict, HeldBack change, @Nullable Confirmation confirmation) {
        ParkedRecord record = verdict.record();
        byte[] value = bytes(verdict);
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.SOURCE_OFFSET, record.offset());
        EbbHeaders.copy(record.headers(), headers, EbbHeaders.ACTOR);
        EbbHeaders.copy(record.headers(), headers, EbbHeaders.REASON);
        if (!change.file().isEmpty()) {
            EbbHeaders.set(headers, EbbHeaders.APPLY_ID, change.file());
            EbbHeaders.set(headers, EbbHeaders.APPLY_COUNT, change.records().size());
        }
        if (confirmation != null) {
            EbbHeaders.set(headers, EbbHeaders.CONFIRMED_BY, confirmation.actor());
            EbbHeaders.set(headers, EbbHeaders.CONFIRMED_REASON, confirmation.reason());
        }
        forwardAccepted(verdict.key().toString(), value, headers);
        markedOffset = Math.max(markedOffset, record.offset());
        return value;
    }

    void reject(ParkedRecord record, Rejection rejection) {
        parts.observer().rejected(rejection.reason());
        context.forward(Rejects.of(record, rejection, 0), RetentionTopology.POLICY_REJECTED_SINK);
    }

    /**
     * Tells the instances how far the gate has read where no accepted record does, and what waits. What was said before a
     * start is not known, and may be that a policy cannot be read, so the first time it always speaks.
     *
     * @param reason why a policy cannot be read; null if all can
     */
    void mark(long offset, @Nullable String reason, List<WaitingPolicy> waiting) {
        boolean isNew = !Objects.equals(reason, markedReason) || !waiting.equals(markedWaiting);
        if (!hasMarked || offset > markedOffset || isNew) {
            hasMarked = true;
            markedOffset = Math.max(markedOffset, offset);
            markedReason = reason;
            markedWaiting = waiting;
            byte[] mark = parts.writer().mark(markedOffset, reason, waiting);
            forwardAccepted(DecodedPolicy.MARK_KEY, mark, new RecordHeaders());
        }
    }

    private byte @Nullable [] bytes(PolicyVerdict verdict) {
        RetentionPolicy policy = verdict.policy();
        Hold hold = verdict.hold();
        if (hold != null) {
            return parts.writer().hold(hold);
        }
        return policy == null ? null : parts.writer().policy(policy);
    }

    private void forwardAccepted(String key, byte @Nullable [] value, Headers headers) {
        Addressed address = new Addressed(key.getBytes(StandardCharsets.UTF_8), 0);
        long nowMs = context.currentSystemTimeMs();
        context.forward(new Record<>(address, value, nowMs, headers), RetentionTopology.ACCEPTED_SINK);
    }
}
