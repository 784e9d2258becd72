package dev.ebb.instance;

import dev.ebb.api.peers.PeerClient.Sign;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Finding whether an instance is dead. An answer at its address says that it lives. Where the machine itself says that
 * nothing listens there, its process is gone. Silence alone is no proof, since the way to it may be cut while it works: then
 * its heartbeats to the broker must have stopped as well.
 *
 * @param isCertain false if the heartbeats must be watched for longer
 * @param isDead true if the instance may be removed, once that is certain
 * @param evidence the signs, as a sentence without its full stop
 */
record Death(boolean isCertain, boolean isDead, String evidence) {

    private static final int MISSED_HEARTBEATS = 2;
    private static final Duration SLACK = Duration.ofSeconds(1);

    /** Returns the time without a heartbeat after which a silent instance counts as dead. */
    static Duration silence(Duration interval) {
        return interval.multipliedBy(MISSED_HEARTBEATS).plus(SLACK);
    }

    /**
     * @param address host and port of its API; empty if not known
     * @param sign answer at that address
     * @param last its last heartbeat, by the clock of the broker; null if there was none in the last minutes
     * @param now the present time, by the clock of the broker
     * @param interval time between two heartbeats of a living instance
     */
    static Death of(String address, Sign sign, @Nullable Instant last, Instant now, Duration interval) {
        if (sign == Sign.ANSWER) {
            return new Death(true, false, "it answers at " + address);
        }
        if (sign == Sign.REFUSAL) {
            return new Death(true, true, "nothing listens at " + address);
        }
        String silent = address.isEmpty() ? "its address is not known" : "it does not answer at " + address;
        if (last == null) {
            return new Death(true, true, silent + ", and it has sent no heartbeat to Kafka for minutes");
        }
        Duration since = Duration.between(last, now);
        String heard = silent + ", and its last heartbeat to Kafka was " + Math.max(0, since.toSeconds()) + " s ago";
        boolean isLong = since.compareTo(silence(interval)) >= 0;
        return new Death(isLong, isLong, heard);
    }
}
