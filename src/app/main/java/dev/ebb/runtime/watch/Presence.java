package dev.ebb.runtime.watch;

import dev.ebb.domain.time.Durations;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once that something outside is away or refuses what is asked, with its address, and once that it is back (O-28):
 * the clients of Kafka alone say so ten times a second. A single failure is often over at the next try, so it takes two in
 * a row. Thread-safe.
 */
public final class Presence {

    private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

    /** Number of failures in a row that are told. */
    private static final int FAILURES = 2;

    private static final String AWAY = "is away";
    private static final String REFUSES = "refuses what is asked";

    private final String what;
    private final String address;
    private final LongSupplier nanos;
    private int failures;
    private long failedNanos;
    private @Nullable String state;
    private @Nullable String problem;

    /**
     * @param what its name, for people
     * @param address the address under which it is asked
     * @param nanos nanoseconds of a monotonic clock
     */
    public Presence(String what, String address, LongSupplier nanos) {
        this.what = what;
        this.address = address;
        this.nanos = nanos;
    }

    /** Notes that it gave no answer. */
    public synchronized void gaveNoAnswer(String why) {
        failed(AWAY, why);
    }

    /** Notes that it answered, but does not know Ebb or gives it no right. */
    public synchronized void refused(String why) {
        failed(REFUSES, why);
    }

    private void failed(String how, String why) {
        if (failures == 0) {
            failedNanos = nanos.getAsLong();
        }
        failures = Math.min(failures + 1, FAILURES);
        if (failures < FAILURES) {
            return;
        }
        if (!how.equals(state)) {
            LOG.atWarn().addKeyValue("problem", why).log("{} at {} {}", what, address, how);
        }
        state = how;
        problem = what + " at " + address + " " + how + ": " + why;
    }

    /** Notes that it answered. */
    public synchronized void answered() {
        failures = 0;
        state = null;
        if (problem != null) {
            problem = null;
            long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - failedNanos);
            LOG.atInfo()
                    .addKeyValue("after", Durations.format(TimeUnit.SECONDS.toMillis(seconds)))
                    .log("{} at {} is back", what, address);
        }
    }

    /** Returns what is away or refuses, its address and the reason; null unless it has failed twice since it answered. */
    public synchronized @Nullable String problem() {
        return problem;
    }
}
