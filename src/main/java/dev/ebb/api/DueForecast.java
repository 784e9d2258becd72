package dev.ebb.api;

import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what age and own TTLs will take, in the partitions of this instance; never what is protected or held. Thread-safe. */
public interface DueForecast {

    /**
     * What comes due in each namespace, as it was counted a moment ago.
     *
     * @throws NotReadyException while it is counted for the first time, if that takes long
     */
    Outlook outlook();

    /**
     * What of a stream is due already and still there, also where its policy only warns.
     *
     * @throws NotReadyException while its partition restores
     */
    Overdue overdue(StreamUsage stream);

    /**
     * What comes due, at the moment when the count began; nothing is estimated.
     *
     * @param byNamespace namespaces with nothing due may be left out
     * @param isExact false if a partition of this instance could not be read: there is at least so much
     * @param countedAtMs when it was counted, epoch milliseconds
     */
    record Outlook(Map<String, Due> byNamespace, boolean isExact, long countedAtMs) {

        public Outlook {
            byNamespace = Map.copyOf(byNamespace);
        }

        /** What comes due in that namespace. */
        public Due of(String namespace) {
            return byNamespace.getOrDefault(namespace, Due.NOTHING);
        }
    }

    /**
     * What comes due in a namespace.
     *
     * @param nextHour what goes within an hour, what is overdue included, what policies only warn of left out: nothing will
     *     take it
     * @param nextDay what goes within a day, that hour included
     * @param expiring what is due within {@code warnBefore} of its policy, what is overdue and what policies only warn of
     *     included
     * @param held events that a hold covers
     */
    record Due(Tally nextHour, Tally nextDay, Expiring expiring, long held) {

        public static final Due NOTHING = new Due(Tally.ZERO, Tally.ZERO, Expiring.NOTHING, 0);
    }

    /**
     * What a namespace is to be warned of.
     *
     * @param earliestMs the last millisecond of the first of them, epoch milliseconds; null if there is none
     */
    record Expiring(Tally sum, @Nullable Long earliestMs) {

        public static final Expiring NOTHING = new Expiring(Tally.ZERO, null);
    }

    /**
     * What is due already.
     *
     * @param isExact false if there was too much to count: there is at least so much
     */
    record Overdue(long events, boolean isExact) {}
}
