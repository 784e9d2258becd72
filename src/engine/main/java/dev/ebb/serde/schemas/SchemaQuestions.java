package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import org.jspecify.annotations.Nullable;

/** Background questions for schemas, seen from a waiting reader. Never blocks the calling thread. Thread-safe. */
public interface SchemaQuestions {

    /** The present state of the wait; null if the record is worth another reading. */
    @Nullable
    Wait stillWaits(Wait wait);

    /** Asks the registry again, at once and whatever its last answer was. */
    void askAgain(Wait wait);

    /** The wait for a schema of which only the id is known. */
    static Wait waitFor(int id) {
        return Wait.of(Wait.SCHEMA + id);
    }

    /** The id of the schema that is waited for; {@link WireFormat#NO_ID} if the wait is not for a schema. */
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
