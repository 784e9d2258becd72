package dev.ebb.wire.commands;

import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanOutcome;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A plan, as its dry run shows it or as it was carried out.
 *
 * @param exact true if all events of the plan went; like the fields behind it, null if the plan was not carried out
 */
public record PlanView(
        String planId,
        Instant sweepPoint,
        Instant expiresAt,
        long events,
        String digest,
        @Nullable Boolean exact,
        @Nullable Long eventsDone,
        @Nullable String digestDone,
        Map<String, Long> leftOut) {

    public static PlanView of(PlanOutcome plan) {
        PlanDigest done = plan.done();
        Map<String, Long> leftOut = new LinkedHashMap<>();
        new TreeMap<>(plan.leftOut()).forEach((reason, events) -> leftOut.put(reason.name(), events));
        return new PlanView(
                plan.planId(),
                Instant.ofEpochMilli(plan.pointMs()),
                Instant.ofEpochMilli(plan.expiresMs()),
                plan.planned().events(),
                plan.planned().text(),
                done == null ? null : (Boolean) plan.isExact(),
                done == null ? null : (Long) done.events(),
                done == null ? null : done.text(),
                leftOut);
    }
}
