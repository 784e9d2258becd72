package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Follows a count that has far to go: says every half minute how far it is, and gives up where it stands still. The
 * whole time depends on the amount of work and on the machine, and has no limit. For one thread.
 */
public final class Headway {

    private static final Duration TELL_EVERY = Duration.ofSeconds(30);

    /** Longer than an application needs to start. */
    private static final Duration MOST_STANDSTILL = Duration.ofMinutes(2);

    private final String what;
    private final long wanted;
    private final Consumer<String> progress;
    private final LongSupplier nanoClock;
    private long last;
    private long movedNanos;
    private long toldNanos;

    /** @param what names the things that are counted, as in "30 of 100 events are stored" */
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
     * Returns true if there are as many as are wanted.
     *
     * @param count the present count
     * @throws VoidRunException if there are not, and have been no more than that for more than two minutes
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
