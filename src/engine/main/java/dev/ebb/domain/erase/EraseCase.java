package dev.ebb.domain.erase;

import java.util.List;
import java.util.Map;

/**
 * The record of an erasure that is done, as the audit keeps it. It does not repeat the values of the conditions, which
 * are what shall be forgotten.
 *
 * @param caseId names the reason among the papers of the one who asked
 * @param fields the fields of the conditions
 * @param namespace the namespace it was limited to; empty for none
 * @param events number of events that went from the store
 * @param bytes their size
 * @param left streams with events that stay, by reason
 * @param detail what else is to be said, for people
 * @param finishedMs time at which it was done, epoch milliseconds
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
        List<Place> places) {

    /** The scope under which the audit has an erasure. */
    public static String scope(String caseId) {
        return "erase:" + caseId;
    }
}
