package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Follows a count on its way to a distant goal: reports it every half minute, and gives up when it stands still. The
 * whole time depends on the amount of work and on the machine, and has no limit. For one thread.
 */
public final class Headway {

    private static final Duration TELL_EVERY = Duration.ofSeconds(30);

    /** Longer than an application takes to start. */
    private static final Duration MOST_STANDSTILL = Duration.ofMinutes(2);

    private final String what;
    private final long wanted;
    private final Consumer<String> progress;
    private final LongSupplier nanoClock;
    private long last;
    private long movedNanos;
    private long toldNanos;

    /** @param what names the counted things, as in "30 of 100 events are stored" */
    public Headway(String what, long wanted, Consumer<String> progress) {
        this(what, wanted, progress, System::nanoTime);
    }

    Headway(String what, long wanted, Consumer<String> progress, LongSupplier nanoClock) {
        this.what = what;
        this.wanted = wanted;
        this.progress = progress;
        this.nanoClock = nanoClock;
        this.movedNanos = nanoClock.getAsLong();
        this.toldNanos = movedNanos;
    }

    /**
     * Returns true if the count has reached its goal.
     *
     * @param count the present count
     * @throws VoidRunException if the count is below the goal, and has not risen for more than two minutes
     */
    public boolean isDone(long count) {
        long now = nanoClock.getAsLong();
        if (count >= wanted) {
            return true;
        }
        if (count != last) {
            last = count;
            movedNanos = now;
        } else if (now - movedNanos > MOST_STANDSTILL.toNanos()) {
            throw new VoidRunException(text(count) + ", and no more for " + MOST_STANDSTILL.toSeconds() + " s");
        }
        if (now - toldNanos >= TELL_EVERY.toNanos()) {
            toldNanos = now;
            progress.accept(text(count));
        }
        return false;
    }

    private String text(long count) {
        return String.format(Locale.ROOT, "%,d of %,d %s", count, wanted, what);
    }
}
