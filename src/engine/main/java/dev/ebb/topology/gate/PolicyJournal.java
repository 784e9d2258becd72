package dev.ebb.topology.gate;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.Confirmation;
import dev.ebb.domain.policy.change.PolicyChange;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.serde.records.SettingsJson;
import dev.ebb.serde.text.HoldJson;
import dev.ebb.serde.text.PolicyJson;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.receipt.AuditTree;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.ErrandBodies.LogRaised;
import dev.ebb.topology.wire.ErrandBodies.SourceReset;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.RecordLimits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Journal that writes changes of policies and holds to SQL and the audit, in the transaction that accepts them. Not
 * thread-safe.
 */
final class PolicyJournal {

    private final TopologyParts parts;
    private BuiltInPolicies builtIn;
    private final RecordLimits limits;
    private final String topic;
    private final ProcessorContext<Addressed, byte[]> context;
    private final GateStore store;
    private final AuditTree tree;

    /** False once the settings in force are known, from which the rows of the built-in policies follow. */
    private boolean hasWrittenBuiltIn = true;

    /** @param topic the topic of policies, on which each change has its place */
    PolicyJournal(
            TopologyParts parts,
            TopologySettings settings,
            String topic,
            ProcessorContext<Addressed, byte[]> context,
            GateStore store) {
        this.parts = parts;
        this.builtIn = settings.builtIn();
        this.limits = settings.limits();
        this.topic = topic;
        this.context = context;
        this.store = store;
        this.tree = new AuditTree(TreeName.POLICIES, context.applicationId(), store.tree(), parts.signer());
    }

    /** Record that is made, but not sent yet. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(String sink, byte[] key, byte @Nullable [] value, long timestampMs) {}

    /**
     * Writes a change that comes into force now. The records of a file have one version, and each has its own entry in
     * the audit.
     *
     * @param confirmation the confirmation that let it through; null if none was necessary
     */
    void accepted(PolicyVerdict verdict, long version, @Nullable Confirmation confirmation) {
        InputRecord record = verdict.record().input();
        String auditId = "change-" + record.offset() + "-" + record.timestampMs();
        PolicyChange change = verdict.change(auditId, version, parts.clock().trusted(context.currentSystemTimeMs()));
        RetentionSettings settings = verdict.settings();
        if (settings == null) {
            write(change, this::row);
        } else {
            use(settings);
        }
        writeAudit(change, inForce(verdict), confirmation);
    }

    /** Writes the confirmation of a time that is far ahead of the state. */
    void clockConfirmed(GateRecord order, long version, Confirmation by) {
        String auditId = "clock-" + order.offset() + "-" + order.input().timestampMs();
        long nowMs = parts.clock().trusted(context.currentSystemTimeMs());
        PolicyChange change =
                new PolicyChange(auditId, PolicyKey.CLOCK, version, null, null, by.actor(), by.reason(), nowMs, true);
        write(change, made -> audit(made, null));
    }

    /** Writes that the start of a log is about to move (F-8). */
    void raised(String auditId, LogRaised raise) {
        ofSource(AuditRecord.LOG_RAISED, auditId, raise.source(), Origin.ofPerson("", raise.text()));
    }

    /** Writes that a person is about to move the place from which a source is read (F-10). */
    void reset(String auditId, SourceReset reset) {
        ofSource(AuditRecord.SOURCE_RESET, auditId, reset.source(), Origin.ofPerson(reset.actor(), reset.text()));
    }

    private void ofSource(String action, String auditId, String source, Origin origin) {
        long nowMs = parts.clock().trusted(context.currentSystemTimeMs());
        String scope = PolicyKey.ofSource(source).toString();
        audit(AuditRecord.ofSource(action, auditId, scope, origin, nowMs), scope)
                .forEach(this::forward);
    }

    /** Notes the settings in force, from which the rows of the built-in policies follow. */
    void use(RetentionSettings settings) {
        builtIn = new BuiltInPolicies(settings);
        hasWrittenBuiltIn = false;
    }

    private void writeAudit(PolicyChange change, @Nullable String inForce, @Nullable Confirmation confirmation) {
        write(change, made -> audit(made, inForce));
        if (confirmation != null) {
            write(change.confirmed(confirmation), made -> audit(made, null));
        }
    }

    /** Writes everything that no record of the topic of policies causes. */
    void advance(long nowMs) {
        if (!hasWrittenBuiltIn) {
            writeBuiltIn(nowMs);
        }
        AuditTree.Closed closed = tree.close(nowMs);
        if (closed != null) {
            Entry checkpoint = new Entry(Nodes.POLICY_CHECKPOINTS_SINK, closed.key(), closed.note(), nowMs);
            forward(checkpoint, closed.headers());
            parts.observer().checkpointed();
        }
    }

    /** Writes records about a change; none if they cannot be made, which must not hold up others. */
    private void write(PolicyChange change, Function<PolicyChange, List<Entry>> about) {
        List<Entry> entries;
        try {
            entries = about.apply(change);
            entries.forEach(entry -> limits.require(entry.sink(), entry.key(), entry.value(), new RecordHeaders()));
        } catch (KafkaException e) {
            throw e;
        } catch (RuntimeException e) {
            parts.observer().recordFailed(topic, 0, change.version(), e);
            return;
        }
        entries.forEach(this::forward);
    }

    /** Writes the rows of the built-in policies, at each start, since these depend on settings. */
    private void writeBuiltIn(long nowMs) {
        for (RetentionPolicy policy : builtIn.all().values()) {
            if (!store.contains(PolicyKey.of(policy.scope()))) {
                forward(rowOf(policy.scope(), parts.mirrorRows().policyRow(policy, null, true, nowMs), nowMs));
            }
        }
        hasWrittenBuiltIn = true;
    }

    /** Returns the row of the policy; a hold has none. */
    private List<Entry> row(PolicyChange change) {
        RetentionPolicy policy = change.policy();
        Scope scope = change.key().scope();
        if (scope == null) {
            return List.of();
        }
        RetentionPolicy base = builtIn.all().get(scope);
        byte[] row;
        if (policy != null && (policy.isEnabled() || base == null)) {
            RetentionPolicy merged = base == null ? policy : policy.orElse(base);
            row = parts.mirrorRows().policyRow(merged, change.version(), false, change.changedAtMs());
        } else {
            row = base == null ? null : parts.mirrorRows().policyRow(base, null, true, change.changedAtMs());
        }
        return List.of(rowOf(scope, row, change.changedAtMs()));
    }

    private Entry rowOf(Scope scope, byte @Nullable [] row, long timestampMs) {
        return new Entry(Nodes.POLICY_MIRROR_SINK, parts.mirrorRows().policyKey(scope), row, timestampMs);
    }

    private List<Entry> audit(PolicyChange change, @Nullable String inForce) {
        return audit(AuditRecord.ofPolicyChange(change, inForce), change.key().toString());
    }

    private List<Entry> audit(AuditRecord audit, String key) {
        return List.of(
                new Entry(
                        Nodes.POLICY_AUDIT_SINK,
                        key.getBytes(StandardCharsets.UTF_8),
                        parts.writer().audit(audit),
                        audit.atMs()),
                new Entry(
                        Nodes.POLICY_AUDIT_MIRROR_SINK,
                        parts.mirrorRows().auditKey(audit.auditId()),
                        parts.mirrorRows().auditRow(audit),
                        audit.atMs()));
    }

    /** Returns the policy, hold or source, or the settings, in force now, as people write them; null if it was removed. */
    private static @Nullable String inForce(PolicyVerdict verdict) {
        RetentionPolicy policy = verdict.policy();
        Hold hold = verdict.hold();
        RetentionSettings settings = verdict.settings();
        byte[] declaration = verdict.record().value();
        if (verdict.source() != null && declaration != null) {
            return new String(declaration, StandardCharsets.UTF_8);
        }
        if (settings != null) {
            return new String(SettingsJson.write(settings), StandardCharsets.UTF_8);
        }
        if (hold != null) {
            return HoldJson.write(hold).toString();
        }
        return policy == null ? null : PolicyJson.write(policy).toString();
    }

    private void forward(Entry entry) {
        byte[] value = entry.value();
        if (value == null || !entry.sink().equals(Nodes.POLICY_AUDIT_SINK)) {
            forward(entry, new RecordHeaders());
            return;
        }
        AuditTree.Leaf leaf = tree.leaf(value);
        forward(entry, leaf.headers());
        tree.add(leaf);
    }

    private void forward(Entry entry, Headers headers) {
        Addressed address = new Addressed(entry.key(), 0);
        context.forward(new Record<>(address, entry.value(), entry.timestampMs(), headers), entry.sink());
    }
}
