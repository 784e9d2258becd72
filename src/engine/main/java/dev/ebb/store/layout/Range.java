package dev.ebb.store.layout;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ranges of the events store; the first byte of a key names its range. */
public enum Range {
    /**
     * {@code sid | execution | anchor | seq -> event}. Events that may go by age, in the order in which they may go.
     */
    ORDERED('O'),
    /** {@code sid | execution | anchor | seq -> event}. Events with an own TTL: they must not block the others. */
    TIMED('T'),
    /**
     * {@code sid | execution | anchor | seq -> event}. Events kept for ever at their producer's wish: no sweep steps
     * over them.
     */
    INFINITE('I'),
    /** {@code sid | id -> event}. Protected events: no sweep steps over them. */
    PINNED('P'),
    /** {@code sid | execution | due | anchor | seq -> nothing}. The deadlines of the timed events of an execution. */
    DUE('D'),
    /** {@code sid | id -> location}. Finds an event by its id. */
    IDS('X'),
    /** {@code time | sid | id -> nothing}. The time since which each pinned event is protected, earliest first. */
    WAITING('W'),
    /**
     * {@code topic | 0 | partition | offset | sid | id -> nothing}. The events of logs by the places of their records
     * (F-8).
     */
    SOURCED('S'),
    /**
     * {@code number of the waiting stream | number of the record -> record}. Records that cannot be taken in yet, see
     * {@code ParkedRecords}.
     */
    PARKED('K'),
    /**
     * {@code id of a plan | 0 | kind | page or stream -> events}. The events that plans name, see {@code PlanTable},
     * and the events that erasures have found, see {@code FoundEvents}.
     */
    PLANNED('L'),
    /** {@code key of the usage -> record}. A record for each stream and execution, and a few for the task, see {@link UsageKeys}. */
    USAGE('U');

    /** The ranges that hold events, in the order of their ordinals: usage counts by these ranges. */
    public static final List<Range> OF_EVENTS = List.of(ORDERED, TIMED, INFINITE, PINNED);

    private static final Range[] ALL = values();

    private final byte code;

    Range(char code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }

    /** Returns true if keys of this range end with a position. */
    public boolean isPositional() {
        return this == ORDERED || this == TIMED || this == INFINITE;
    }

    /** Returns true if the values of this range are events. */
    public boolean holdsEvents() {
        return isPositional() || this == PINNED;
    }

    /**
     * Returns true if the key alone does not give an event's place: its deadline, or the start of its wait, is in its
     * value.
     */
    boolean isMarked() {
        return this == TIMED || this == PINNED;
    }

    /** Returns the index in {@link #OF_EVENTS}. */
    public int ordinalOfEvents() {
        return ordinal();
    }

    public static @Nullable Range ofCode(byte code) {
        for (Range range : ALL) {
            if (range.code == code) {
                return range;
            }
        }
        return null;
    }
}
