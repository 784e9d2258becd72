package dev.ebb.runtime.watch;

import dev.ebb.domain.policy.Durations;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once that something outside is away, with its address, and once that it is back (O-28): the clients of Kafka
 * alone say so ten times a second. Thread-safe.
 */
public final class Presence {

    private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

    private final String what;
    private final String address;
    private final LongSupplier nanos;
    private @Nullable String problem;
    private long awayNanos;

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
        if (problem == null) {
            awayNanos = nanos.getAsLong();
            LOG.atWarn().addKeyValue("problem", why).log("{} at {} is away", what, address);
        }
        problem = what + " at " + address + " is away: " + why;
    }

    /** Notes that it answered. */
    public synchronized void answered() {
        if (problem != null) {
            problem = null;
            long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - awayNanos);
            LOG.atInfo()
                    .addKeyValue("after", Durations.format(TimeUnit.SECONDS.toMillis(seconds)))
                    .log("{} at {} is back", what, address);
        }
    }

    /** Returns what is away, its address and the reason; null if it answered last. */
    public synchronized @Nullable String problem() {
        return problem;
    }
}
