package dev.ebb.runtime.reads;

import dev.ebb.api.http.Audience;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Bounds the number of events that are read for one page of a list, which may end before it is full: a caller that asks
 * for rare events among very many gets an answer in time, and a cursor to continue with. The first event is always
 * read. Used once.
 */
public final class PageBudget {

    private static final int MOST_READ = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final LongSupplier nanoClock;
    private final long startNanos;
    private final int mostRead;
    private int read;

    public PageBudget() {
        this(MOST_READ, System::nanoTime);
    }

    /**
     * @param mostRead the maximum number of events to look at
     * @param nanoClock a clock that never goes back, in nanoseconds
     */
    PageBudget(int mostRead, LongSupplier nanoClock) {
        this.mostRead = mostRead;
        this.nanoClock = nanoClock;
        this.startNanos = nanoClock.getAsLong();
    }

    /** Takes one event from the budget; returns false if nothing is left. Ends the work if its caller has gone. */
    public boolean spend() {
        Audience.require();
        boolean isLeft = read == 0 || (read < mostRead && nanoClock.getAsLong() - startNanos < PATIENCE.toNanos());
        if (isLeft) {
            read++;
        }
        return isLeft;
    }
}
