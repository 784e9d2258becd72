package dev.ebb.serde;

import org.apache.avro.generic.GenericRecord;

/** What one line of a file of events turned out to be. */
public sealed interface Line {

    /** The number of the line, from 1. */
    long number();

    /**
     * A record to send. Only its form has been looked at: what the topology rejects is sent, and rejected there.
     *
     * @param key the Kafka key: the name of the stream
     * @param record a {@code dev.ebb.Event} or {@code dev.ebb.EventUpdate}
     */
    record Ready(long number, String key, GenericRecord record) implements Line {

        /** Whether it is an update. */
        public boolean isUpdate() {
            return record.getSchema().equals(EbbSchemas.EVENT_UPDATE);
        }
    }

    /**
     * A line of which no record can be made.
     *
     * @param message why, as a sentence without a full stop
     */
    record Unreadable(long number, String message) implements Line {}
}
