package dev.ebb.model;

import dev.ebb.model.RetentionModelRules.Rhythm;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** When the streams of each interval and window are swept next (O-1): due at once after a start, then an interval after a sweep. */
public final class RetentionModelRhythms {

    /** An interval counts as passed if less than half of it is missing, and no more than a fixed time. */
    private static final long TOLERANCE_MS = 50;

    private final RetentionModel model;
    private final Long intervalForAll;
    private final Map<Rhythm, Long> next = new HashMap<>();

    /** @param intervalForAll stands in place of the interval of every policy; null if they decide */
    public RetentionModelRhythms(RetentionModel model, Long intervalForAll) {
        this.model = model;
        this.intervalForAll = intervalForAll;
    }

    public void restart() {
        next.clear();
    }

    /** Takes notice of the streams that there are now; a rhythm that is new is due at once. */
    public void notice() {
        for (RetentionModelStream stream : model.streams().values()) {
            if (!model.policies().isHeld(stream.name)) {
                next.putIfAbsent(of(stream), 0L);
            }
        }
    }

    /** Returns true if a sweep at that time takes the stream. */
    public boolean isDue(RetentionModelStream stream, long now) {
        return isDue(of(stream), now);
    }

    /** Returns true if any stream is swept at that time. */
    public boolean isAnyDue(long now) {
        return model.streams().values().stream()
                .filter(stream -> !model.policies().isHeld(stream.name))
                .anyMatch(stream -> isDue(stream, now));
    }

    private boolean isDue(Rhythm rhythm, long now) {
        long tolerance = Math.min(TOLERANCE_MS, rhythm.interval() / 2);
        return now + tolerance >= next.getOrDefault(rhythm, 0L) && rhythm.isOpen(now);
    }

    /** A sweep of that time has come to its end. */
    public void swept(long point) {
        Set<Rhythm> due = new HashSet<>(next.keySet());
        due.removeIf(rhythm -> !isDue(rhythm, point));
        due.forEach(rhythm -> next.put(rhythm, point + rhythm.interval()));
    }

    /** Returns true if a sweep may take something until that time, at a moment that cannot be foretold. */
    public boolean mayTakeSomething(long now, long until) {
        return mayTakeSomething(until, stream -> isSweptWithin(of(stream), now, until));
    }

    private boolean mayTakeSomething(long until, Predicate<RetentionModelStream> isSwept) {
        return model.streams().values().stream()
                .filter(stream -> model.policies().rules(stream.name).isEnforced())
                .filter(isSwept)
                .map(stream -> RetentionModelSweep.of(stream, model.policies(), until))
                .anyMatch(sweep ->
                        !sweep.gone().isEmpty() || !sweep.executionsGone().isEmpty());
    }

    /** Sweeps of an application that is started anew in between, when every stream is due to be swept. */
    public boolean mayTakeSomethingAfterRestart(long until) {
        return mayTakeSomething(until, stream -> true);
    }

    private boolean isSweptWithin(Rhythm rhythm, long now, long until) {
        boolean isOpen = rhythm.isOpen(now) || rhythm.isOpen(until);
        return isOpen && next.getOrDefault(rhythm, 0L) <= until + TOLERANCE_MS;
    }

    private Rhythm of(RetentionModelStream stream) {
        return model.policies().rules(stream.name).rhythm(intervalForAll);
    }
}
