package dev.ebb.serde.records;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.RejectedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Marks of the policy gate as Avro records and back. Values common to all records of a change are written once, so that
 * a big waiting file still fits into one mark. Stateless.
 */
final class MarkRecords {

    private static final RecordBinder<Mark> MARK = new RecordBinder<>(Mark.class, EbbSchemas.GATE_MARK);

    private MarkRecords() {}

    /** A mark as it is written. */
    record Mark(long sourceOffset, @Nullable String unreadable, List<Change> waiting) {}

    /** Records of one change as they are written. */
    record Change(
            long changeId,
            String actor,
            long since,
            String why,
            @Nullable Long wouldDelete,
            boolean isAtLeast,
            @Nullable Long stored,
            List<String> keys,
            List<Long> sourceOffsets) {

        static Change of(WaitingPolicy policy, List<String> keys) {
            BrakeFinding finding = policy.finding();
            return new Change(
                    policy.version(),
                    policy.actor(),
                    policy.sinceMs(),
                    policy.why(),
                    finding == null ? null : finding.wouldDelete(),
                    finding != null && finding.isAtLeast(),
                    finding == null ? null : finding.stored(),
                    keys,
                    List.of());
        }

        WaitingPolicy of(String key) {
            BrakeFinding finding =
                    wouldDelete == null || stored == null ? null : new BrakeFinding(wouldDelete, isAtLeast, stored);
            return new WaitingPolicy(PolicyKey.parse(key), changeId, actor, since, why, finding);
        }
    }

    static GenericRecord record(long reflectedOffset, @Nullable String unreadable, List<WaitingPolicy> waiting) {
        Map<Change, List<WaitingPolicy>> changes = new LinkedHashMap<>();
        waiting.forEach(policy -> changes.computeIfAbsent(Change.of(policy, List.of()), common -> new ArrayList<>())
                .add(policy));
        List<Change> written = changes.values().stream()
                .map(policies -> Change.of(policies.get(0), keys(policies)))
                .toList();
        return MARK.write(new Mark(reflectedOffset, unreadable, written));
    }

    private static List<String> keys(List<WaitingPolicy> policies) {
        return policies.stream().map(policy -> policy.key().toString()).toList();
    }

    /** @throws RejectedException if a field is missing or of a wrong type */
    static DecodedPolicy.Mark mark(IndexedRecord avro) {
        Mark mark = MARK.read(avro);
        List<WaitingPolicy> waiting = mark.waiting().stream()
                .flatMap(change -> change.keys().stream().map(change::of))
                .toList();
        return new DecodedPolicy.Mark(mark.sourceOffset(), mark.unreadable(), waiting);
    }
}
