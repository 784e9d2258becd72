package dev.ebb.cli.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.command.RowKey;
import dev.ebb.serde.mirror.MirrorTable;

/**
 * A row in which the sides differed at the last look.
 *
 * @param table its table
 * @param answer the application's answer about it
 */
record DifferentRow(MirrorTable table, JsonNode answer) {

    String stream() {
        return answer.path("stream").asText();
    }

    /** Tells it from all other rows of its stream and table. */
    String key() {
        return table == MirrorTable.EVENTS ? row().toString() : Long.toString(execution());
    }

    RowKey row() {
        return new RowKey(
                answer.path("storedAt").asText(), answer.path("eventId").asText());
    }

    long execution() {
        return answer.path("execution").asLong();
    }

    /** Whether the stored row, and the difference, are as in the other look. */
    boolean isSameAs(DifferentRow other) {
        return answer.path("version").equals(other.answer.path("version"))
                && answer.path("what").equals(other.answer.path("what"));
    }

    /** Whether the store knows that the row is still to go. */
    boolean isMoving() {
        return answer.path("moving").asBoolean();
    }

    /** As it is shown. */
    ObjectNode view() {
        ObjectNode view = answer.deepCopy();
        view.put("table", table.tableName());
        view.remove("version");
        view.remove("moving");
        return view;
    }
}
