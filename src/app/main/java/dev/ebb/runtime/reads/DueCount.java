package dev.ebb.runtime.reads;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.DueSums;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.DueForecast.Outlook;
import dev.ebb.store.due.DueEvent;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.read.StreamContext;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** One count of events that come due. Used once. */
final class DueCount {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    private final LocalDueForecast.Sources sources;
    private final long nowMs;
    private final PolicySet policies;
    private final BooleanSupplier isAbandoned;
    private final Map<String, Sums> sums = new TreeMap<>();

    /**
     * @param nowMs the moment from which everything is counted, epoch milliseconds
     * @param isAbandoned returns true once the count is no longer wanted
     */
    DueCount(LocalDueForecast.Sources sources, long nowMs, BooleanSupplier isAbandoned) {
        this.sources = sources;
        this.nowMs = nowMs;
        this.policies = sources.policies().get();
        this.isAbandoned = isAbandoned;
    }

    Outlook run() {
        Map<Integer, Map<String, DueSums>> byPartition = new TreeMap<>();
        for (int partition : sources.local().get()) {
            sums.clear();
            if (sources.stores().show(partition, this::count) && !isAbandoned.getAsBoolean()) {
                byPartition.put(partition, due());
            }
        }
        return new Outlook(byPartition, nowMs);
    }

    private Map<String, DueSums> due() {
        Map<String, DueSums> due = new TreeMap<>();
        sums.forEach((namespace, sum) -> due.put(namespace, sum.due()));
        return due;
    }

    private void count(ReadOnlyEventStore store) {
        for (StreamContext stream : store.contexts(null, null)) {
            if (isAbandoned.getAsBoolean()) {
                return;
            }
            count(stream);
        }
    }

    private void count(StreamContext stream) {
        if (policies.isHeld(stream.stream())) {
            sumsOf(stream.stream()).held += stream.totalEvents();
            return;
        }
        EffectivePolicy policy = policies.effective(stream.stream());
        long warnUntilMs = warnUntilMs(policy);
        long untilMs = policy.isEnforced() ? Math.max(nowMs + DAY_MS, warnUntilMs) : warnUntilMs;
        if (!stream.hasNothingDue(policy, untilMs)) {
            stream.visitDue(policy, 0, untilMs, null, due -> {
                sumsOf(stream.stream()).add(due, policy.isEnforced(), warnUntilMs);
                return !isAbandoned.getAsBoolean();
            });
        }
    }

    /** Returns the latest last millisecond to warn of; -1 if the policy asks for no warning. */
    private long warnUntilMs(EffectivePolicy policy) {
        Limit within = policy.get(PolicyField.WARN_BEFORE).value();
        long longest = RetentionDecider.NEVER - 1 - nowMs;
        return within.isNone() ? -1 : nowMs + Math.min(longest, within.value());
    }

    private Sums sumsOf(StreamName stream) {
        return sums.computeIfAbsent(stream.namespace(), name -> new Sums());
    }

    /** The sums of a namespace. */
    private final class Sums {

        private Tally inHour = Tally.ZERO;
        private Tally inDay = Tally.ZERO;
        private Tally expiring = Tally.ZERO;
        private long earliestMs = RetentionDecider.NEVER;
        private long held;

        void add(DueEvent due, boolean isEnforced, long warnUntilMs) {
            long bytes = due.event().sizeBytes();
            if (isEnforced && due.lastMs() <= nowMs + DAY_MS) {
                inDay = inDay.plus(1, bytes);
                inHour = due.lastMs() <= nowMs + HOUR_MS ? inHour.plus(1, bytes) : inHour;
            }
            if (due.lastMs() <= warnUntilMs) {
                expiring = expiring.plus(1, bytes);
                earliestMs = Math.min(earliestMs, due.lastMs());
            }
        }

        DueSums due() {
            Long earliest = earliestMs == RetentionDecider.NEVER ? null : (Long) earliestMs;
            return new DueSums(inHour, inDay, expiring, earliest, held);
        }
    }
}
