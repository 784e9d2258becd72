package dev.ebb.metrics;

import dev.ebb.domain.retention.RemovalCause;
import java.time.Clock;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many events age and own TTLs have taken within the last hour, by namespace, to the minute. Begins empty with the
 * instance. Thread-safe.
 */
public final class ExpiryWindow {

    private static final int MINUTES = 60;
    private static final long MINUTE_MS = 60_000;

    private final Clock clock;
    private final Map<String, Minutes> byNamespace = new ConcurrentHashMap<>();

    ExpiryWindow(Clock clock) {
        this.clock = clock;
    }

    void add(String namespace, RemovalCause cause) {
        if (cause == RemovalCause.TTL || cause == RemovalCause.MAX_AGE) {
            byNamespace.computeIfAbsent(namespace, name -> new Minutes()).add(minute());
        }
    }

    /** By namespace; those without any are left out. */
    public Map<String, Long> lastHour() {
        long now = minute();
        Map<String, Long> counts = new TreeMap<>();
        byNamespace.forEach((namespace, minutes) -> {
            long count = minutes.sum(now);
            if (count > 0) {
                counts.put(namespace, count);
            }
        });
        return counts;
    }

    private long minute() {
        return clock.millis() / MINUTE_MS;
    }

    /** A ring of minutes; a place is emptied when its next minute begins. The threads of an instance rarely meet here. */
    private static final class Minutes {

        private final long[] minuteOf = new long[MINUTES];
        private final long[] counts = new long[MINUTES];

        synchronized void add(long minute) {
            int place = (int) (minute % MINUTES);
            if (minuteOf[place] != minute) {
                minuteOf[place] = minute;
                counts[place] = 0;
            }
            counts[place]++;
        }

        synchronized long sum(long now) {
            long sum = 0;
            for (int place = 0; place < MINUTES; place++) {
                sum += now - minuteOf[place] < MINUTES ? counts[place] : 0;
            }
            return sum;
        }
    }
}
