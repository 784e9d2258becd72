package dev.ebb.domain.erase;

import java.util.List;
import java.util.Map;

/**
 * The record of a finished erasure, as the audit keeps it. It omits the values of the conditions, since they are to be
 * forgotten too.
 *
 * @param caseId the case for which the events were erased
 * @param fields the fields of the conditions
 * @param namespace the namespace to which the erasure was limited; empty for none
 * @param events number of events erased from the store
 * @param bytes size of these events, in bytes
 * @param left number of events that stay, by reason
 * @param detail further findings, for people
 * @param finishedMs the time at which the erasure finished, epoch milliseconds
 * @param places every place where bytes of the events may remain
 */
public record EraseCase(
        String caseId,
        List<String> fields,
        String namespace,
        long events,
        long bytes,
        Map<String, Long> left,
        String detail,
        long finishedMs,
        List<RemainingPlace> places) {

    /** Returns the scope of an erasure in the audit. */
    public static String scope(String caseId) {
        return "erase:" + caseId;
    }
}
