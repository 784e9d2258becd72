package dev.ebb.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Things that happen in an {@link AccidentPlay}, accidents and what lies between them. */
enum Accident {
    POLICY(3),
    INCOMPLETE_FILE(1),
    EMPTY_FILE(1),
    SMALL_STEPS(1),
    NO_POLICY(1),
    TWO_AUTHORS(1),
    CONFIRMATION(2),
    STALE_CONFIRMATION(1),
    HOLD(1),
    RELEASE(2),
    TTL_UNDER_HOLD(1),
    CLOCK(2),
    WRONG_START(1),
    WRONG_TIME(1),
    CRASH(1),
    FORMER_VERSION(1),
    MOVE(1),
    SETTING(1),
    COMPACTED_TRASH(1),
    LOST_TRASH(1),
    MADE_ANEW(1),
    BLINDNESS(1),
    SIGHT(1),
    TIME(3),
    DELETE_STREAM(2),
    DELETE_EVENT(2),
    PURGE(1),
    PRUNE(1),
    TWO_COMMANDS(1),
    ERASURE(1),
    SWEEP(1),
    COMPLETION(1),
    EXECUTION(2),
    PLAN(1),
    PLANNED_COMMAND(1),
    ARRIVAL(11);

    /** How many shares more something has that happens often. */
    private static final int OFTEN = 6;

    private final int shares;

    Accident(int shares) {
        this.shares = shares;
    }

    /** All of them, as often as they happen, and some more often. */
    static List<Accident> spread(List<Accident> often) {
        List<Accident> spread = new ArrayList<>();
        for (Accident accident : values()) {
            int more = often.contains(accident) ? OFTEN : 0;
            for (int i = 0; i < accident.shares + more; i++) {
                spread.add(accident);
            }
        }
        return spread;
    }

    /** A text for {@link #decode}, which another build of this class can read. */
    static String encode(List<Accident> accidents) {
        return accidents.stream().map(Accident::name).collect(Collectors.joining(" "));
    }

    static List<Accident> decode(String text) {
        return Stream.of(text.split(" ")).map(Accident::valueOf).toList();
    }
}
