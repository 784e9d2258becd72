package dev.ebb.serde.records;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.RejectedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Marks of the policy gate as Avro records and back. Values common to all records of a change are written once, so that
 * a big waiting file still fits into one mark. Stateless.
 */
final class MarkRecords {

    private static final Schema OURS = EbbSchemas.GATE_MARK;
    private static final Schema WAITING = OURS.getField("waiting").schema().getElementType();

    private MarkRecords() {}

    /** Values common to the records of one change. */
    private record Common(
            long version,
            String actor,
            long sinceMs,
            String why,
            @Nullable BrakeFinding finding) {

        static Common of(WaitingPolicy policy) {
            return new Common(policy.version(), policy.actor(), policy.sinceMs(), policy.why(), policy.finding());
        }
    }

    static GenericRecord record(long reflectedOffset, @Nullable String unreadable, List<WaitingPolicy> waiting) {
        Map<Common, List<WaitingPolicy>> changes = new LinkedHashMap<>();
        waiting.forEach(policy -> changes.computeIfAbsent(Common.of(policy), common -> new ArrayList<>())
                .add(policy));
        List<GenericRecord> records = new ArrayList<>();
        changes.forEach((common, policies) -> records.add(record(common, policies)));
        GenericRecord avro = new GenericData.Record(OURS);
        avro.put("sourceOffset", reflectedOffset);
        avro.put("unreadable", unreadable);
        avro.put("waiting", records);
        return avro;
    }

    /** @throws RejectedException if a field is of a wrong type */
    static DecodedPolicy.Mark mark(IndexedRecord avro, FieldMap map) {
        Long offset = FieldValue.number("sourceOffset", map.get(avro, OURS.getField("sourceOffset")));
        if (offset == null) {
            throw new RejectedException(RejectReason.UNDECODABLE, "sourceOffset is missing");
        }
        return new DecodedPolicy.Mark(
                offset,
                FieldValue.text("unreadable", map.get(avro, OURS.getField("unreadable"))),
                waiting(map.get(avro, OURS.getField("waiting"))));
    }

    private static GenericRecord record(Common common, List<WaitingPolicy> policies) {
        GenericRecord avro = new GenericData.Record(WAITING);
        BrakeFinding finding = common.finding();
        avro.put("changeId", common.version());
        avro.put("actor", common.actor());
        avro.put("since", common.sinceMs());
        avro.put("why", common.why());
        avro.put("wouldDelete", finding == null ? null : finding.wouldDelete());
        avro.put("isAtLeast", finding != null && finding.isAtLeast());
        avro.put("stored", finding == null ? null : finding.stored());
        avro.put(
                "keys", policies.stream().map(policy -> policy.key().toString()).toList());
        avro.put("sourceOffsets", List.of());
        return avro;
    }

    private static List<WaitingPolicy> waiting(@Nullable Object value) {
        List<WaitingPolicy> waiting = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object element : list) {
                addTo(waiting, (GenericRecord) element);
            }
        }
        return waiting;
    }

    private static void addTo(List<WaitingPolicy> waiting, GenericRecord change) {
        Long wouldDelete = (Long) change.get("wouldDelete");
        Long stored = (Long) change.get("stored");
        BrakeFinding finding = wouldDelete == null || stored == null
                ? null
                : new BrakeFinding(wouldDelete, (Boolean) change.get("isAtLeast"), stored);
        for (Object key : (List<?>) change.get("keys")) {
            waiting.add(new WaitingPolicy(
                    PolicyKey.parse(key.toString()),
                    (Long) change.get("changeId"),
                    change.get("actor").toString(),
                    (Long) change.get("since"),
                    change.get("why").toString(),
                    finding));
        }
    }
}
