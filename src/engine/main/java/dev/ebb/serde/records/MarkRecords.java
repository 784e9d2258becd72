package dev.ebb.serde.records;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.NamespaceLoss;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.serde.schemas.EbbSchemas;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * Marks of the policy gate as Avro records and back. Values common to all records of a change are written once, so that
 * a big waiting file still fits into one mark. Stateless.
 */
final class MarkRecords {

    /** The records of one change, which differ only in their keys. */
    private static final BoundRecord<List<WaitingPolicy>> CHANGE = new BoundRecord<>(
            EbbSchemas.GATE_MARK.getField("waiting").schema().getElementType(),
            MarkRecords::write,
            MarkRecords::change);

    private static final BoundRecord<NamespaceLoss> LOSS = Components.of(
            NamespaceLoss.class,
            EbbSchemas.GATE_MARK
                    .getField("waiting")
                    .schema()
                    .getElementType()
                    .getField("namespaces")
                    .schema()
                    .getElementType());

    static final BoundRecord<DecodedPolicy.Mark> MARK =
            new BoundRecord<>(EbbSchemas.GATE_MARK, MarkRecords::write, MarkRecords::mark);

    private MarkRecords() {}

    private static void write(DecodedPolicy.Mark mark, GenericRecord avro) {
        avro.put("sourceOffset", mark.reflectedOffset());
        avro.put("unreadable", mark.unreadable());
        avro.put("waiting", changes(mark.waiting()).stream().map(CHANGE::write).toList());
    }

    private static Collection<List<WaitingPolicy>> changes(List<WaitingPolicy> waiting) {
        return waiting.stream()
                .collect(Collectors.groupingBy(MarkRecords::common, LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private static List<@Nullable Object> common(WaitingPolicy policy) {
        return Arrays.asList(policy.version(), policy.actor(), policy.sinceMs(), policy.why(), policy.finding());
    }

    private static void write(List<WaitingPolicy> policies, GenericRecord avro) {
        WaitingPolicy any = policies.get(0);
        BrakeFinding finding = any.finding();
        avro.put("changeId", any.version());
        avro.put("actor", any.actor());
        avro.put("since", any.sinceMs());
        avro.put("why", any.why());
        avro.put("wouldDelete", finding == null ? null : finding.wouldDelete());
        avro.put("isAtLeast", finding != null && finding.isAtLeast());
        avro.put("stored", finding == null ? null : finding.stored());
        avro.put(
                "namespaces",
                finding == null
                        ? List.of()
                        : finding.namespaces().stream().map(LOSS::write).toList());
        avro.put(
                "keys", policies.stream().map(policy -> policy.key().toString()).toList());
        avro.put("sourceOffsets", List.of());
    }

    private static DecodedPolicy.Mark mark(Fields fields) {
        List<WaitingPolicy> waiting = fields.elements("waiting")
                .flatMap(change -> CHANGE.read("waiting", change).stream())
                .toList();
        return new DecodedPolicy.Mark(fields.givenNumber("sourceOffset"), fields.text("unreadable"), waiting);
    }

    private static List<NamespaceLoss> losses(Fields fields) {
        return fields.elements("namespaces")
                .map(loss -> LOSS.read("namespaces", loss))
                .toList();
    }

    private static List<WaitingPolicy> change(Fields fields) {
        Long wouldDelete = fields.number("wouldDelete");
        Long stored = fields.number("stored");
        BrakeFinding finding = wouldDelete == null || stored == null
                ? null
                : new BrakeFinding(wouldDelete, fields.flag("isAtLeast"), stored, losses(fields));
        fields.given("keys");
        return fields.elements("keys")
                .map(key -> new WaitingPolicy(
                        PolicyKey.parse(String.valueOf(FieldValue.text("keys", key))),
                        fields.givenNumber("changeId"),
                        fields.textOrEmpty("actor"),
                        fields.givenNumber("since"),
                        fields.givenText("why"),
                        finding))
                .toList();
    }
}
