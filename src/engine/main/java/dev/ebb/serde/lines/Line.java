package dev.ebb.serde.lines;

import dev.ebb.domain.event.EventRules;
import dev.ebb.domain.event.Rejection;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.EventRecords;
import dev.ebb.serde.records.FieldMap;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.RejectedException;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** The result of reading one line of a file of events. */
public sealed interface Line {

    /** Returns the number of the line, from 1. */
    long number();

    /**
     * A record to send. Only its form has been checked, see {@link #rejection}.
     *
     * @param key the Kafka key: the name of the stream
     * @param record a {@code dev.ebb.Event}, {@code dev.ebb.EventUpdate} or {@code dev.ebb.ExecutionUpdate}
     */
    record Ready(long number, String key, GenericRecord record) implements Line {

        private static final FieldMap SAME_EVENT = FieldMap.of(EbbSchemas.EVENT, EbbSchemas.EVENT);
        private static final FieldMap SAME_UPDATE = FieldMap.of(EbbSchemas.EVENT_UPDATE, EbbSchemas.EVENT_UPDATE);

        private static final FieldMap SAME_EXECUTION =
                FieldMap.of(EbbSchemas.EXECUTION_UPDATE, EbbSchemas.EXECUTION_UPDATE);

        /** Returns true if the record is an update of an event. */
        public boolean isUpdate() {
            return record.getSchema().equals(EbbSchemas.EVENT_UPDATE);
        }

        /** Returns the topology's result for the record, without a check of its times; never pending. */
        public Decoded decoded() {
            try {
                if (record.getSchema().equals(EbbSchemas.EXECUTION_UPDATE)) {
                    return new Decoded.OfExecution(EventRecords.execution(record, SAME_EXECUTION));
                }
                return isUpdate()
                        ? new Decoded.OfUpdate(EventRecords.update(record, SAME_UPDATE))
                        : new Decoded.OfEvent(EventRecords.event(record, SAME_EVENT));
            } catch (RejectedException e) {
                return new Decoded.Bad(e.rejection());
            }
        }

        /**
         * Returns the fault for which the topology rejects the record if it comes at that time; null if it takes the
         * record, as far as the record alone tells.
         */
        public @Nullable Rejection rejection(long nowMs) {
            Decoded decoded = decoded();
            if (decoded instanceof Decoded.OfEvent sent) {
                return EventRules.problem(sent.event(), nowMs, nowMs);
            } else if (decoded instanceof Decoded.OfUpdate sent) {
                return EventRules.problem(sent.update(), nowMs, nowMs);
            } else if (decoded instanceof Decoded.OfExecution sent) {
                return EventRules.problem(sent.update(), nowMs, nowMs);
            }
            return decoded instanceof Decoded.Bad bad ? bad.rejection() : null;
        }
    }

    /**
     * A line from which no record can be made.
     *
     * @param message the reason, as a sentence without a full stop
     */
    record Unreadable(long number, String message) implements Line {}
}
