package dev.ebb.api.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.port.MirrorCheck.Refusals;
import dev.ebb.port.MirrorCheck.Refused;
import dev.ebb.wire.instance.VerificationView.Row;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reasons why rows differ, as far as they are known. Not thread-safe. */
final class Reasons {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String TAKEN =
            "SQL has taken what was sent, and differs still: something else changes the row,"
                    + " for example a trigger";

    private static final String ONE_OF_MANY =
            "it differs still after the repair: the database refuses more rows than are named,"
                    + " and this may be one of them; see the table mirror_refused";

    private final Map<List<Object>, String> refused = new HashMap<>();
    private final boolean areAllNamed;

    /** @param refused the rows that the database refuses */
    Reasons(Refusals refused) {
        this.areAllNamed = refused.count() <= refused.rows().size();
        for (Refused row : refused.rows()) {
            List<Object> place = place(row);
            if (place != null) {
                this.refused.put(place, "the database refuses it: " + row.reason());
            }
        }
    }

    /** @param isUnhealed true if a repair was carried out, and the row differs still */
    Row tell(Row row, boolean isUnhealed) {
        if (row.why() != null) {
            return row;
        }
        String reason = refused.get(place(row));
        if (reason != null) {
            return row.because(reason);
        }
        return isUnhealed ? row.because(areAllNamed ? TAKEN : ONE_OF_MANY) : row;
    }

    private static List<Object> place(Row row) {
        String storedAt = row.storedAt();
        return Arrays.asList(
                row.stream(), storedAt == null ? null : Instant.parse(storedAt), row.eventId(), row.execution());
    }

    /** Returns the place of a refused row in the tables that are compared; null if it has none. */
    private static @Nullable List<Object> place(Refused row) {
        try {
            JsonNode key = JSON.readTree(row.key());
            JsonNode storedAt = key.path("stored_at");
            JsonNode execution = key.path("execution");
            if (!key.hasNonNull("stream")) {
                return null;
            }
            return Arrays.asList(
                    key.path("stream").asText(),
                    storedAt.isMissingNode() ? null : Instant.parse(storedAt.asText()),
                    key.hasNonNull("event_id") ? key.path("event_id").asText() : null,
                    execution.isMissingNode() ? null : execution.asLong());
        } catch (JsonProcessingException | DateTimeException e) {
            return null;
        }
    }
}
