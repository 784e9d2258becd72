package dev.ebb.serde.lines;

import dev.ebb.serde.json.Defaults;
import dev.ebb.serde.json.EventObject;
import dev.ebb.serde.json.UnreadableJsonException;
import dev.ebb.serde.schemas.EbbSchemas;
import org.apache.avro.generic.GenericRecord;

/** Makes a line to send from one JSON object with the field names of the model. Stateless. */
public final class EventLineParser {

    private EventLineParser() {}

    /**
     * Returns the record of a line, or the reason why there is no record: unlike a record, a line must name its event.
     */
    public static Line parse(long number, String json, Defaults defaults) {
        try {
            GenericRecord record = EventObject.read(json, defaults);
            Object stream = record.get("stream");
            if (isMissing(stream)) {
                return new Line.Unreadable(number, "it names no stream");
            }
            boolean isExecution = record.getSchema().equals(EbbSchemas.EXECUTION_UPDATE);
            return !isExecution && isMissing(record.get("id"))
                    ? new Line.Unreadable(number, "it names no id, by which it counts once however often it is sent")
                    : new Line.Ready(number, stream.toString(), record);
        } catch (UnreadableJsonException e) {
            return new Line.Unreadable(number, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isMissing(Object name) {
        return name == null || name.equals("");
    }
}
