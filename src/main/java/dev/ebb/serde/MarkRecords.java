package dev.ebb.serde;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.policy.BrakeFinding;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.WaitingPolicy;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Marks of the policy gate as Avro records and back. Stateless. */
final class MarkRecords {

    private static final Schema OURS = EbbSchemas.GATE_MARK;
    private static final Schema WAITING = OURS.getField("waiting").schema().getElementType();

    private MarkRecords() {}

    static GenericRecord record(long sourceOffset, @Nullable String unreadable, List<WaitingPolicy> waiting) {
        GenericRecord avro = new GenericData.Record(OURS);
        avro.put("sourceOffset", sourceOffset);
        avro.put("unreadable", unreadable);
        avro.put("waiting", waiting.stream().map(MarkRecords::record).toList());
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

    private static GenericRecord record(WaitingPolicy policy) {
        GenericRecord avro = new GenericData.Record(WAITING);
        BrakeFinding finding = policy.finding();
        avro.put("key", policy.key().toString());
        avro.put("sourceOffset", policy.sourceOffset());
        avro.put("since", policy.sinceMs());
        avro.put("why", policy.why());
        avro.put("wouldDelete", finding == null ? null : finding.wouldDelete());
        avro.put("isAtLeast", finding != null && finding.isAtLeast());
        avro.put("stored", finding == null ? null : finding.stored());
        return avro;
    }

    private static List<WaitingPolicy> waiting(@Nullable Object value) {
        List<WaitingPolicy> waiting = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object element : list) {
                waiting.add(waitingPolicy((GenericRecord) element));
            }
        }
        return waiting;
    }

    private static WaitingPolicy waitingPolicy(GenericRecord avro) {
        Long wouldDelete = (Long) avro.get("wouldDelete");
        Long stored = (Long) avro.get("stored");
        BrakeFinding finding = wouldDelete == null || stored == null
                ? null
                : new BrakeFinding(wouldDelete, (Boolean) avro.get("isAtLeast"), stored);
        return new WaitingPolicy(
                PolicyKey.parse(avro.get("key").toString()),
                (Long) avro.get("sourceOffset"),
                (Long) avro.get("since"),
                avro.get("why").toString(),
                finding);
    }
}
