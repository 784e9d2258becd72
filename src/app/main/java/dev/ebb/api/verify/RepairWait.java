package dev.ebb.api.verify;

import java.time.Duration;

/** A wait that looks less and less often, and ends. Not thread-safe. */
final class RepairWait {

    /** The first pause; each further one is twice as long. */
    static final Duration FIRST = Duration.ofSeconds(1);

    /** The longest pause. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    private final Duration most;
    private final Pause pause;
    private Duration spent = Duration.ZERO;
    private Duration next = FIRST;

    /** @param most the longest wait in all */
    RepairWait(Duration most, Pause pause) {
        this.most = most;
        this.pause = pause;
    }

    boolean isOver() {
        return spent.compareTo(most) >= 0;
    }

    /** Counts time that has passed without a pause. */
    void spend(Duration time) {
        spent = spent.plus(time);
    }

    /** Lets the time of the next pause pass, or what is left of the wait. */
    void pause() {
        Duration time = shorter(next, most.minus(spent));
        if (!time.isNegative() && !time.isZero()) {
            pause.sleep(time);
        }
        spend(next);
        next = shorter(next.multipliedBy(2), LONGEST);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
