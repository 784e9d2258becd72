package dev.ebb.serde.records;

import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanOutcome;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** The plan in the record of a result, in fields of its own. Stateless. */
final class ListedFields {

    private static final String LEFT_OUT = "planLeftOut";

    private ListedFields() {}

    static void write(@Nullable PlanOutcome plan, GenericRecord avro) {
        PlanDigest done = plan == null ? null : plan.done();
        avro.put("planId", plan == null ? null : plan.planId());
        avro.put("planPoint", plan == null ? 0 : plan.pointMs());
        avro.put("planExpiresAt", plan == null ? 0 : plan.expiresMs());
        avro.put("planEvents", plan == null ? 0 : plan.planned().events());
        avro.put("planDigest", plan == null ? null : plan.planned().text());
        avro.put("planEventsDone", done == null ? 0 : done.events());
        avro.put("planDigestDone", done == null ? null : done.text());
        Map<String, Long> leftOut = new HashMap<>();
        if (plan != null) {
            plan.leftOut().forEach((reason, events) -> leftOut.put(reason.name(), events));
        }
        avro.put(LEFT_OUT, leftOut);
    }

    /** Returns the plan; null if there is none. */
    static @Nullable PlanOutcome read(Fields fields) {
        String planId = fields.text("planId");
        PlanDigest planned = digest(fields, "planDigest", "planEvents");
        if (planId == null || planned == null) {
            return null;
        }
        PlanDigest done = digest(fields, "planDigestDone", "planEventsDone");
        long pointMs = fields.count("planPoint");
        return new PlanOutcome(planId, pointMs, fields.count("planExpiresAt"), planned, done, leftOut(fields));
    }

    private static @Nullable PlanDigest digest(Fields fields, String text, String events) {
        String sum = fields.text(text);
        return sum == null ? null : PlanDigest.parse(fields.count(events), sum);
    }

    private static Map<LeftOut, Long> leftOut(Fields fields) {
        Map<LeftOut, Long> leftOut = new EnumMap<>(LeftOut.class);
        fields.map(LEFT_OUT)
                .forEach((reason, events) -> leftOut.put(
                        FieldValue.constant(LeftOut.class, LEFT_OUT, reason),
                        Objects.requireNonNull(FieldValue.number(LEFT_OUT, events))));
        return leftOut;
    }
}
