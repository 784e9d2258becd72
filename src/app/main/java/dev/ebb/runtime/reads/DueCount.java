package dev.ebb.runtime.reads;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.DueForecast.Due;
import dev.ebb.port.DueForecast.Expiring;
import dev.ebb.port.DueForecast.Outlook;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.store.due.DueEvent;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.read.StreamContext;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

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
        Map<Integer, Map<String, Due>> byPartition = new TreeMap<>();
        for (int partition : sources.local().get()) {
            try {
                sums.clear();
                count(sources.stores().of(partition));
                if (!isAbandoned.getAsBoolean()) {
                    byPartition.put(partition, due());
                }
            } catch (NotReadyException | OtherInstanceException | InvalidStateStoreException e) {
                // The partition is on its way to or from this instance; a count covers it where and when it can be
                // read.
            }
        }
        return new Outlook(byPartition, nowMs);
    }

    private Map<String, Due> due() {
        Map<String, Due> due = new TreeMap<>();
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

        Due due() {
            Long earliest = earliestMs == RetentionDecider.NEVER ? null : (Long) earliestMs;
            return new Due(inHour, inDay, new Expiring(expiring, earliest), held);
        }
    }
}
