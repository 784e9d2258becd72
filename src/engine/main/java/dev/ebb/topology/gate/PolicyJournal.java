package dev.ebb.topology.gate;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.PolicyChange;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.RecordLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of policies and holds to SQL and the audit once they are in force, since only then is their version
 * known. Remembers how far it came, so a restart repeats nothing. Not thread-safe.
 */
final class PolicyJournal {

    private final TopologyParts parts;
    private final BuiltInPolicies builtIn;
    private final RecordLimits limits;
    private final String accepted;
    private @Nullable ProcessorContext<Addressed, byte[]> context;
    private @Nullable GateStore store;
    private boolean hasWrittenBuiltIn;

    /** @param accepted the topic of accepted policies, in which a change has its place */
    PolicyJournal(TopologyParts parts, BuiltInPolicies builtIn, RecordLimits limits, String accepted) {
        this.parts = parts;
        this.builtIn = builtIn;
        this.limits = limits;
        this.accepted = accepted;
    }

    /** Record that is made, and not sent yet. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(String sink, byte[] key, byte @Nullable [] value, long timestampMs) {}

    void begin(ProcessorContext<Addressed, byte[]> newContext, GateStore newStore) {
        context = newContext;
        store = newStore;
        hasWrittenBuiltIn = false;
    }

    /** Writes all that has come into force since the last time. */
    void write(long nowMs) {
        GateStore gate = Objects.requireNonNull(store);
        if (!hasWrittenBuiltIn) {
            writeBuiltIn(nowMs);
        }
        List<PolicyChange> changes = parts.policies().changesAfter(gate.writtenVersion());
        for (PolicyChange change : changes) {
            entries(change).forEach(this::forward);
            gate.saveWrittenVersion(change.version());
        }
    }

    /** Records about a change; none if they cannot be made, which must not hold up the others. */
    private List<Entry> entries(PolicyChange change) {
        try {
            List<Entry> entries = new ArrayList<>();
            if (!change.key().isHold() && !change.isConfirmation()) {
                entries.add(row(change));
            }
            entries.addAll(audit(change));
            entries.forEach(entry -> limits.require(entry.sink(), entry.key(), entry.value(), new RecordHeaders()));
            return entries;
        } catch (KafkaException e) {
            throw e;
        } catch (RuntimeException e) {
            parts.observer().recordFailed(accepted, 0, change.version(), e);
            return List.of();
        }
    }

    /** Writes the rows of the built-in policies, at each start, since these depend on settings. */
    private void writeBuiltIn(long nowMs) {
        for (RetentionPolicy policy : builtIn.all().values()) {
            if (!Objects.requireNonNull(store).contains(PolicyKey.of(policy.scope()))) {
                forward(rowOf(policy.scope(), parts.mirrorRows().policyRow(policy, null, true, nowMs), nowMs));
            }
        }
        hasWrittenBuiltIn = true;
    }

    private Entry row(PolicyChange change) {
        RetentionPolicy policy = change.policy();
        Scope scope = Objects.requireNonNull(change.key().scope());
        RetentionPolicy base = builtIn.all().get(scope);
        byte[] row;
        if (policy != null && (policy.isEnabled() || base == null)) {
            RetentionPolicy merged = base == null ? policy : policy.orElse(base);
            row = parts.mirrorRows().policyRow(merged, change.version(), false, change.changedAtMs());
        } else {
            row = base == null ? null : parts.mirrorRows().policyRow(base, null, true, change.changedAtMs());
        }
        return rowOf(scope, row, change.changedAtMs());
    }

    private Entry rowOf(Scope scope, byte @Nullable [] row, long timestampMs) {
        return new Entry(Nodes.POLICY_MIRROR_SINK, parts.mirrorRows().policyKey(scope), row, timestampMs);
    }

    private List<Entry> audit(PolicyChange change) {
        byte[] key = change.key().toString().getBytes(StandardCharsets.UTF_8);
        long timestampMs = change.changedAtMs();
        return List.of(
                new Entry(Nodes.POLICY_AUDIT_SINK, key, parts.writer().audit(change), timestampMs),
                new Entry(
                        Nodes.POLICY_AUDIT_MIRROR_SINK,
                        parts.mirrorRows().auditKey(change.auditId()),
                        parts.mirrorRows().auditRow(change),
                        timestampMs));
    }

    private void forward(Entry entry) {
        Addressed address = new Addressed(entry.key(), 0);
        Record<Addressed, byte[]> record =
                new Record<>(address, entry.value(), entry.timestampMs(), new RecordHeaders());
        Objects.requireNonNull(context).forward(record, entry.sink());
    }
}
