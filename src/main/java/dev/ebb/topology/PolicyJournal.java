package dev.ebb.topology;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyChange;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of policies and holds to SQL and the audit once they are in force, since only then their version is known. It
 * remembers how far it came, so a restart repeats nothing. Not thread-safe.
 */
final class PolicyJournal {

    private final TopologyParts parts;
    private final BuiltInPolicies builtIn;
    private @Nullable ProcessorContext<Addressed, byte[]> context;
    private @Nullable GateStore store;
    private boolean hasWrittenBuiltIn;

    PolicyJournal(TopologyParts parts, BuiltInPolicies builtIn) {
        this.parts = parts;
        this.builtIn = builtIn;
    }

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
            if (!change.key().isHold() && !change.isConfirmation()) {
                writeRow(change);
            }
            writeAudit(change);
            gate.saveWrittenVersion(change.version());
        }
    }

    /** What is built in depends on settings, so its rows are written at each start. */
    private void writeBuiltIn(long nowMs) {
        for (RetentionPolicy policy : builtIn.all().values()) {
            if (!Objects.requireNonNull(store).contains(PolicyKey.of(policy.scope()))) {
                forward(policy.scope(), parts.mirrorRows().policyRow(policy, null, true, nowMs), nowMs);
            }
        }
        hasWrittenBuiltIn = true;
    }

    private void writeRow(PolicyChange change) {
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
        forward(scope, row, change.changedAtMs());
    }

    private void writeAudit(PolicyChange change) {
        byte[] key = change.key().toString().getBytes(StandardCharsets.UTF_8);
        forward(RetentionTopology.POLICY_AUDIT_SINK, key, parts.writer().audit(change), change.changedAtMs());
        forward(
                RetentionTopology.POLICY_AUDIT_MIRROR_SINK,
                parts.mirrorRows().auditKey(change.auditId()),
                parts.mirrorRows().auditRow(change),
                change.changedAtMs());
    }

    private void forward(Scope scope, byte @Nullable [] row, long timestampMs) {
        forward(RetentionTopology.POLICY_MIRROR_SINK, parts.mirrorRows().policyKey(scope), row, timestampMs);
    }

    private void forward(String sink, byte[] key, byte @Nullable [] value, long timestampMs) {
        Record<Addressed, byte[]> record = new Record<>(new Addressed(key, 0), value, timestampMs, new RecordHeaders());
        Objects.requireNonNull(context).forward(record, sink);
    }
}
