package dev.ebb.source;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.source.SourceFault;
import dev.ebb.domain.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record of a sample and its meaning.
 *
 * @param source the name of the source
 * @param record the record
 * @param event the event, as it would be stored; null if the record is none
 * @param id the id of the event that the record concerns; null if it concerns none
 * @param fault the fault; null if the record fits
 * @param word the meaning of a record that is no event, or of one that a newer record replaces; null for an event
 */
record SampleRow(
        String source,
        SourceRecord record,
        @Nullable StoredEvent event,
        @Nullable String id,
        @Nullable SourceFault fault,
        @Nullable String word) {

    SampleRow withWord(String newWord) {
        return new SampleRow(source, record, event, id, fault, newWord);
    }

    /** Returns true if the event is the newest version of its key, and not gone. */
    boolean isAlive() {
        return event != null && word == null;
    }
}
