package dev.ebb.topology.sweep;

import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.domain.retention.SweepReport.Trigger;
import dev.ebb.store.EventStore;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepGroup;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.fault.StreamRound;
import dev.ebb.topology.fault.StreamRound.Look;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.removal.Outbox;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sweep of streams of {@code mode: warn}: finds in slices the events that sweeps would delete, and reports a result
 * that differs from the last report (M-16). It works on shadows of the streams, as a dry run does, and deletes nothing.
 * Not thread-safe.
 */
public final class WarnSweep {

    private final EventStore store;
    private final SweepSchedule schedule;
    private final StreamGuard guard;
    private final Outbox outbox;
    private final RetentionObserver observer;
    private final int partition;
    private final Map<SweepGroup, Map<RemovalCause, Tally>> reported = new HashMap<>();
    private @Nullable Run run;
    private long told;

    public WarnSweep(PartitionParts here) {
        this.store = here.store();
        this.schedule = here.schedule();
        this.guard = here.guard();
        this.outbox = here.outbox();
        this.observer = here.observer();
        this.partition = here.partition();
    }

    /** Returns true if a count has begun and is not done. */
    public boolean isRunning() {
        return run != null;
    }

    /** Forgets the count, which starts over under other policies. */
    public void stop() {
        if (run != null) {
            run.group.warnedAt(0, 0);
            run = null;
        }
    }

    /** Begins a count if one is due, and continues it as far as the budget goes. */
    public void slice(PolicySet policies, long nowMs, SweepBudget budget) {
        Run current = run == null ? begin(policies, nowMs) : run;
        run = current;
        if (current != null && current.round.step(nowMs, budget)) {
            run = null;
            end(current, nowMs);
        }
    }

    /** Reports how many events mode warn keeps in all groups, as far as their streams are still in that mode. */
    private void tell() {
        told = reported.entrySet().stream()
                .filter(entry -> entry.getKey().isAnyWarned())
                .flatMap(entry -> entry.getValue().values().stream())
                .mapToLong(Tally::events)
                .sum();
        observer.warned(partition, told);
    }

    private @Nullable Run begin(PolicySet policies, long nowMs) {
        for (SweepGroup group : schedule.groups()) {
            if (group.isWarnDue(nowMs)) {
                group.warnedAt(nowMs, 0);
                return new Run(group, new SweepPoint(nowMs, policies.version()));
            }
        }
        if (told > 0 && schedule.groups().stream().noneMatch(SweepGroup::isAnyWarned)) {
            tell();
        }
        return null;
    }

    private void end(Run ended, long nowMs) {
        ended.group.warnedAt(ended.point.nowMs(), Math.max(0, nowMs - ended.point.nowMs()));
        ended.group.warn(ended.isAny);
        Map<RemovalCause, Tally> before = reported.put(ended.group, ended.found);
        tell();
        if (!ended.found.isEmpty() && !ended.found.equals(before)) {
            report(ended, nowMs);
        }
    }

    private void report(Run ended, long nowMs) {
        SweepReport report = new SweepReport(
                "warn-" + partition + "-" + ended.point.nowMs(),
                partition,
                Trigger.SCHEDULE,
                ended.point,
                ended.point.nowMs(),
                nowMs,
                ended.streams,
                ended.found,
                ended.protectedEvents,
                store.heldEvents(),
                PolicyMode.WARN,
                false);
        outbox.report(report);
        observer.swept(report);
    }

    /** Look at all streams of a group. */
    private final class Run {

        private final SweepGroup group;
        private final SweepPoint point;
        private final StreamRound round;
        private final Map<RemovalCause, Tally> found = new EnumMap<>(RemovalCause.class);
        private boolean isAny;
        private long streams;
        private long protectedEvents;

        Run(SweepGroup group, SweepPoint point) {
            this.group = group;
            this.point = point;
            this.round = new StreamRound(guard, store, store.warned(), this::isMeant, this::begin);
        }

        /** Returns true if there may be something of the stream to warn of. */
        private boolean isMeant(StreamState stream) {
            isAny |= isOfGroup(stream);
            return mayLose(stream);
        }

        private boolean isOfGroup(StreamState stream) {
            return !stream.policy().isEnforced() && schedule.groupOf(stream) == group;
        }

        private boolean mayLose(StreamState stream) {
            return isOfGroup(stream) && schedule.mayBeSwept(stream) && stream.mayLose(point.nowMs());
        }

        /** Begins with a stream; returns null if the stream is gone, or there is nothing left to warn of. */
        private @Nullable Look begin(StreamState stream) {
            return !stream.isGone() && mayLose(stream) ? new Warned(stream) : null;
        }

        /** Look at one stream. */
        private final class Warned implements Look {

            private final StreamState stream;
            private final StreamForecast forecast;
            private boolean losesAny;

            Warned(StreamState stream) {
                this.stream = stream;
                this.forecast = store.forecast(stream, stream.policy(), stream.isHeld(), point.nowMs());
            }

            @Override
            public boolean step(SweepBudget budget) {
                return forecast.step(budget, (shadow, removed) -> {
                    Tally one = new Tally(1, removed.event().sizeBytes());
                    found.merge(removed.cause(), one, Tally::plus);
                    losesAny = true;
                });
            }

            @Override
            public void end() {
                if (losesAny) {
                    streams++;
                    protectedEvents += stream.protectedEvents();
                }
            }
        }
    }
}
