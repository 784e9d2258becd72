package dev.ebb.store.state;

import dev.ebb.store.layout.Location;
import org.jspecify.annotations.Nullable;

/**
 * Findings of sweeps that spare the next sweep a look, until the stream changes. An object is made only when there is
 * something to remember; {@link #NOTHING} stands for all other streams.
 */
public final class SweepMemory {

    static final SweepMemory NOTHING = new SweepMemory(0, null, null);

    private final long capsBlockedUntilMs;
    private final @Nullable CapPlace capPlace;
    private final @Nullable KeepLine keepLine;

    private SweepMemory(long capsBlockedUntilMs, @Nullable CapPlace capPlace, @Nullable KeepLine keepLine) {
        this.capsBlockedUntilMs = capsBlockedUntilMs;
        this.capPlace = capPlace;
        this.keepLine = keepLine;
    }

    /** Returns the time at which caps may take events again that a guard keeps now, epoch milliseconds; 0: at once. */
    long capsBlockedUntilMs() {
        return capsBlockedUntilMs;
    }

    /**
     * Returns the place where the next slice of a sweep continues with the caps; null if it begins at the first
     * execution.
     */
    public @Nullable CapPlace capPlace() {
        return capPlace;
    }

    /** Returns the line from which on {@code keepLast} keeps events; null if it is not known. */
    public @Nullable KeepLine keepLine() {
        return keepLine;
    }

    /** Returns findings with the place at which the budget ended a slice. */
    public SweepMemory withCapPlace(CapPlace place) {
        return new SweepMemory(capsBlockedUntilMs, place, keepLine);
    }

    /**
     * Returns findings of finished caps: a guard keeps the events that they would take until this time, epoch
     * milliseconds.
     */
    public SweepMemory withCapsBlocked(long untilMs) {
        return new SweepMemory(untilMs, null, keepLine);
    }

    /** Returns findings with the line of {@code keepLast}. */
    public SweepMemory withKeepLine(KeepLine line) {
        return new SweepMemory(capsBlockedUntilMs, capPlace, line);
    }

    /** Returns findings without the caps, which begin again at the first execution. */
    SweepMemory withoutCaps() {
        return reduced(false, true);
    }

    /**
     * Returns the findings that hold after a change of the execution: sums of the caps include it unless its turn is
     * yet to come.
     */
    SweepMemory afterChange(long execution) {
        return reduced(isAhead(execution), true);
    }

    /** Returns the findings that hold after an event of the execution has come or gone. */
    SweepMemory afterEvent(long execution, Location location, int sign) {
        boolean isLineSame =
                keepLine == null || (sign < 0 && location.position().compareTo(keepLine.position()) < 0);
        return reduced(isAhead(execution), isLineSame);
    }

    private boolean isAhead(long execution) {
        return capPlace == null || execution >= capPlace.next();
    }

    /** Called for each event, so no new object is made if nothing changes. */
    private SweepMemory reduced(boolean keepsPlace, boolean keepsLine) {
        if (capsBlockedUntilMs == 0 && keepsPlace && keepsLine) {
            return this;
        }
        CapPlace place = keepsPlace ? capPlace : null;
        KeepLine line = keepsLine ? keepLine : null;
        return place == null && line == null ? NOTHING : new SweepMemory(0, place, line);
    }
}
