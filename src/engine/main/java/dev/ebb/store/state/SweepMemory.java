package dev.ebb.store.state;

import dev.ebb.store.layout.Location;
import org.jspecify.annotations.Nullable;

/**
 * Findings of sweeps that spare the next one a look, until the stream changes. Most streams have none of their own, so
 * an object is made when there is something to remember, and {@link #NOTHING} stands for all others.
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

    /** Time at which caps may take events again that a guard keeps now, epoch milliseconds; 0: at once. */
    long capsBlockedUntilMs() {
        return capsBlockedUntilMs;
    }

    /** Place where the next slice of a sweep goes on with the caps; null if it begins at the first execution. */
    public @Nullable CapPlace capPlace() {
        return capPlace;
    }

    /** Line from which on {@code keepLast} keeps events; null if it must be looked for. */
    public @Nullable KeepLine keepLine() {
        return keepLine;
    }

    /** The budget has ended a slice at that place. */
    public SweepMemory withCapPlace(CapPlace place) {
        return new SweepMemory(capsBlockedUntilMs, place, keepLine);
    }

    /** Caps have been looked at; a guard keeps the events that they would take until that time, epoch milliseconds. */
    public SweepMemory withCapsBlocked(long untilMs) {
        return new SweepMemory(untilMs, null, keepLine);
    }

    /** The line was looked for. */
    public SweepMemory withKeepLine(KeepLine line) {
        return new SweepMemory(capsBlockedUntilMs, capPlace, line);
    }

    /** Caps have to be looked at from the first execution on. */
    SweepMemory withoutCaps() {
        return reduced(false, true);
    }

    /** The execution has changed: sums of the caps count it unless its turn is still to come. */
    SweepMemory afterChange(long execution) {
        return reduced(isAhead(execution), true);
    }

    /** An event of the execution has come or gone. */
    SweepMemory afterEvent(long execution, Location location, int sign) {
        boolean isLineSame =
                keepLine == null || (sign < 0 && location.position().compareTo(keepLine.position()) < 0);
        return reduced(isAhead(execution), isLineSame);
    }

    private boolean isAhead(long execution) {
        return capPlace == null || execution >= capPlace.next();
    }

    /** Comes with each event, so nothing new is made where nothing changes. */
    private SweepMemory reduced(boolean keepsPlace, boolean keepsLine) {
        if (capsBlockedUntilMs == 0 && keepsPlace && keepsLine) {
            return this;
        }
        CapPlace place = keepsPlace ? capPlace : null;
        KeepLine line = keepsLine ? keepLine : null;
        return place == null && line == null ? NOTHING : new SweepMemory(0, place, line);
    }
}
