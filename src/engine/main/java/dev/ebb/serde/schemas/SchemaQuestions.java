package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import org.jspecify.annotations.Nullable;

/**
 * Background questions for schemas, as a waiting reader sees them. Never blocks the calling thread. Thread-safe.
 */
public interface SchemaQuestions {

    /** How it stands with it; null if reading a record again is worth its while. */
    @Nullable
    Wait stillWaits(Wait wait);

    /** Asks the registry anew, at once and whatever it said before. */
    void askAgain(Wait wait);

    /** The wait for a schema of which nothing is known but its id. */
    static Wait waitFor(int id) {
        return Wait.of(Wait.SCHEMA + id);
    }

    /** The id of the schema that is waited for; {@link WireFormat#NO_ID} if it is none. */
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
