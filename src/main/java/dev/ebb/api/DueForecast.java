package dev.ebb.api;

import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.Map;

/** Counts what age and own TTLs will take, in the partitions of this instance; never what is protected or held. Thread-safe. */
public interface DueForecast {

    /**
     * What comes due in each namespace, as it was counted a moment ago; namespaces with nothing due may be left out. What
     * policies only warn of does not count: nothing will take it.
     */
    Map<String, Due> byNamespace();

    /**
     * What of a stream is due already and still there, also where its policy only warns.
     *
     * @throws NotReadyException while its partition restores
     */
    Overdue overdue(StreamUsage stream);

    /**
     * What comes due in a namespace.
     *
     * @param nextHour what goes within an hour, what is overdue included
     * @param nextDay what goes within a day, that hour included
     * @param isExact false if there was too much to count: there is at least so much
     * @param countedAtMs when it was counted, epoch milliseconds
     */
    record Due(Tally nextHour, Tally nextDay, boolean isExact, long countedAtMs) {}

    /**
     * What is due already.
     *
     * @param isExact false if there was too much to count: there is at least so much
     */
    record Overdue(long events, boolean isExact) {}
}
