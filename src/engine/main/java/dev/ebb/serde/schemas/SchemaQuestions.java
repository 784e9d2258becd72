package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import org.jspecify.annotations.Nullable;

/** Background questions for schemas, as a waiting reader sees them. Never blocks the calling thread. Thread-safe. */
public interface SchemaQuestions {

    /** Returns the present state of the wait; null if the record should be read again. */
    @Nullable
    Wait stillWaits(Wait wait);

    /** Asks the registry again, at once, whatever its last answer was. */
    void askAgain(Wait wait);

    /** Returns the wait for a schema of which only the id is known. */
    static Wait waitFor(int id) {
        return Wait.of(Wait.SCHEMA + id);
    }

    /** Returns the id of the awaited schema; {@link WireFormat#NO_ID} if the wait is not for a schema. */
    static int idOf(Wait wait) {
        String what = wait.what();
        if (!what.startsWith(Wait.SCHEMA)) {
            return WireFormat.NO_ID;
        }
        try {
            return Integer.parseInt(what.substring(Wait.SCHEMA.length()));
        } catch (NumberFormatException e) {
            return WireFormat.NO_ID;
        }
    }
}
