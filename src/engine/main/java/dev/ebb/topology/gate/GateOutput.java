package dev.ebb.topology.gate;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.SignatureRule;
import dev.ebb.domain.policy.change.Confirmation;
import dev.ebb.domain.policy.change.SpentHour;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.records.SettingsJson;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.policy.ConfirmedClock;
import dev.ebb.topology.policy.FormerValue;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.ErrandBodies.Follow;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.PromptCommit;
import dev.ebb.topology.wire.RecordLimits;
import dev.ebb.topology.wire.Rejects;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Output of the policy gate: accepted records and marks to all instances, and rejected records. Not thread-safe. */
final class GateOutput {

    /** Partition that stands for the gate, which has no partition of the events. */
    static final int GATE = -1;

    /** Longest reason in a mark, which contains the answer of a registry. */
    private static final int MAX_WHY = 1000;

    private final RecordLimits limits;
    private final TopologyParts parts;
    private final ProcessorContext<Addressed, byte[]> context;
    private final int partitions;
    private final GateStore store;
    private final PromptCommit commits;
    private @Nullable Cancellable later;
    private boolean hasSpoken;
    private boolean hasAccepted;
    private long markedOffset = -1;

    /**
     * True before the first mark, and after a change that came into force behind newer ones: the mark repeats its
     * number, since compaction may remove its record.
     */
    private boolean isMarkOwed = true;

    private @Nullable String markedReason;
    private List<WaitingPolicy> markedWaiting = List.of();

    /** @param partitions number of partitions of the events */
    GateOutput(
            TopologyParts parts,
            ProcessorContext<Addressed, byte[]> context,
            int partitions,
            GateStore store,
            RecordLimits limits) {
        this.store = store;
        this.limits = limits;
        this.parts = parts;
        this.context = context;
        this.partitions = partitions;
        this.commits = new PromptCommit(context);
    }

    /** Returns the newest offset of the topic of policies that every instance sees, or is about to see; -1 for none. */
    long markedOffset() {
        return markedOffset;
    }

    /** Returns the number of changes that have come into force behind newer ones, which no offset announces. */
    long lateChanges() {
        return store.lateChanges();
    }

    /** Notes that everything up to that offset is decided; the first mark, which is still to come, says so. */
    void reflects(long offset) {
        markedOffset = Math.max(markedOffset, offset);
    }

    /**
     * Puts a record into force.
     *
     * @param change the change to which the record belongs
     * @param confirmation the confirmation; null if none was necessary
     * @param formers the former values of the key, as far as their changes can be undone
     * @return the accepted bytes; null removes
     */
    byte @Nullable [] accept(
            PolicyVerdict verdict, HeldBack change, @Nullable Confirmation confirmation, List<FormerValue> formers) {
        InputRecord record = verdict.record().input();
        byte[] value = bytes(verdict);
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, change.version());
        EbbHeaders.copy(record.headers(), headers, EbbHeaders.ACTOR, SignatureRule.MAX_ACTOR);
        EbbHeaders.copy(record.headers(), headers, EbbHeaders.REASON, SignatureRule.MAX_REASON);
        if (!change.file().isEmpty()) {
            EbbHeaders.set(headers, EbbHeaders.APPLY_ID, change.file());
            EbbHeaders.set(headers, EbbHeaders.APPLY_COUNT, change.records().size());
        }
        if (confirmation != null) {
            EbbHeaders.set(headers, EbbHeaders.CONFIRMED_BY, confirmation.actor());
            EbbHeaders.set(headers, EbbHeaders.CONFIRMED_REASON, confirmation.reason());
        }
        FormerValue.write(formers, headers);
        if (change.version() <= markedOffset) {
            store.noteLateChange();
            isMarkOwed = true;
        }
        EbbHeaders.set(headers, EbbHeaders.LATE_CHANGES, store.lateChanges());
        forwardAccepted(verdict.key().toString(), value, headers);
        hasAccepted = true;
        markedOffset = Math.max(markedOffset, change.version());
        return value;
    }

    /**
     * Puts the settings of the first start into force. No record of the topic of policies names them, so they have no
     * version.
     */
    void acceptFirst(byte[] settings) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, -1);
        forwardAccepted(PolicyKey.SETTINGS.toString(), settings, headers);
    }

    /**
     * Confirms to all instances that these times are right.
     *
     * @param version the version of the gap that was confirmed
     */
    void confirmClock(ConfirmedClock confirmed, long version) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, version);
        forwardAccepted(PolicyKey.CLOCK.toString(), confirmed.encode(), headers);
    }

    /** Tells all instances the unconfirmed deletes of the last hour: plans are judged by them, too (T-15). */
    void spent(SpentHour spent) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, -1);
        forwardAccepted(PolicyKey.SPENT.toString(), JsonState.write(spent).getBytes(StandardCharsets.UTF_8), headers);
    }

    /** Asks for a change of the settings on the topic of policies, where the change gets its version. */
    void askForSettings(byte[] settings, String actor, String reason) {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.ACTOR, actor);
        EbbHeaders.set(headers, EbbHeaders.REASON, Shortened.to(SignatureRule.MAX_REASON, reason));
        byte[] key = PolicyKey.SETTINGS.toString().getBytes(StandardCharsets.UTF_8);
        long nowMs = parts.clock().trusted(context.currentSystemTimeMs());
        forward(Nodes.SETTINGS_SINK, new Addressed(key, 0), settings, nowMs, headers);
        hasSpoken = true;
    }

    void reject(GateRecord record, Rejection rejection) {
        reject(record.input(), rejection);
    }

    void reject(InputRecord record, Rejection rejection) {
        parts.observer().rejected(rejection.reason());
        context.forward(Rejects.of(record, rejection, 0, limits), Nodes.POLICY_REJECTED_SINK);
    }

    /**
     * Announces to the instances how far the gate has read, where no accepted record does so, and which changes wait.
     * The last mark before a start is not known, and may say that a policy cannot be read, so the first call always
     * sends one.
     *
     * @param why the reason why a policy cannot be read; null if all can
     */
    void mark(long offset, @Nullable String why, List<WaitingPolicy> waiting) {
        String reason = why == null ? null : Shortened.to(MAX_WHY, why);
        boolean isNew = !Objects.equals(reason, markedReason) || !waiting.equals(markedWaiting);
        if (offset > markedOffset || isNew || isMarkOwed) {
            isMarkOwed = false;
            markedOffset = Math.max(markedOffset, offset);
            markedReason = reason;
            markedWaiting = waiting;
            byte[] mark = parts.writer().mark(markedOffset, reason, waiting);
            Headers headers = new RecordHeaders();
            EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, markedOffset);
            EbbHeaders.set(headers, EbbHeaders.LATE_CHANGES, store.lateChanges());
            forwardAccepted(DecodedPolicy.MARK_KEY, mark, headers);
        }
    }

    /** Returns the number of partitions of the events. */
    int partitions() {
        return partitions;
    }

    /** Asks all partitions a question. */
    void ask(String id, byte[] question) {
        hasSpoken = true;
        sendToPartitions(id, question);
    }

    /**
     * Makes the output since the last call visible at once: commits soon, and calls the partitions, which would
     * otherwise look at new policies only when their next second is over.
     */
    void hurry() {
        long nowMs = context.currentSystemTimeMs();
        if (hasSpoken) {
            commits.want(nowMs);
            hasSpoken = false;
        } else {
            commits.look(nowMs);
        }
        if (hasAccepted && !commits.isWanted()) {
            callPartitions();
            hasAccepted = false;
        }
        hurryLater();
    }

    /** Repeats the call as long as a commit must wait for its gap. */
    private void hurryLater() {
        if (later != null && !commits.isWanted()) {
            later.cancel();
            later = null;
        } else if (later == null && commits.isWanted()) {
            later = context.schedule(PromptCommit.GAP, PunctuationType.WALL_CLOCK_TIME, nowMs -> hurry());
        }
    }

    private void callPartitions() {
        String id = "policies-" + markedOffset;
        String body = JsonState.write(new Follow(markedOffset));
        sendToPartitions(id, parts.writer().errand(new Errand(id, Errand.Step.FOLLOW, GATE, body)));
    }

    private void sendToPartitions(String id, byte[] errand) {
        byte[] key = id.getBytes(StandardCharsets.UTF_8);
        long nowMs = parts.clock().trusted(context.currentSystemTimeMs());
        for (int partition = 0; partition < partitions; partition++) {
            Addressed address = new Addressed(key, partition);
            forward(Nodes.QUESTIONS_SINK, address, errand, nowMs, new RecordHeaders());
        }
    }

    private byte @Nullable [] bytes(PolicyVerdict verdict) {
        if (verdict.source() != null) {
            return verdict.record().value();
        }
        RetentionPolicy policy = verdict.policy();
        Hold hold = verdict.hold();
        RetentionSettings settings = verdict.settings();
        if (hold != null) {
            return parts.writer().hold(hold);
        }
        if (settings != null) {
            return SettingsJson.write(settings);
        }
        return policy == null ? null : parts.writer().policy(policy);
    }

    private void forwardAccepted(String key, byte @Nullable [] value, Headers headers) {
        hasSpoken = true;
        Addressed address = new Addressed(key.getBytes(StandardCharsets.UTF_8), 0);
        // Deletes can be undone as long as a change is new, so a clock that was behind must not make the change old.
        long nowMs = parts.clock().trusted(context.currentSystemTimeMs());
        forward(Nodes.ACCEPTED_SINK, address, value, nowMs, headers);
    }

    private void forward(String sink, Addressed key, byte @Nullable [] value, long timestampMs, Headers headers) {
        limits.require(sink, key.key(), value, headers);
        context.forward(new Record<>(key, value, timestampMs, headers), sink);
    }
}
