package dev.ebb.cli.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.terminal.Texts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A change that the brake holds back, for people: a file of thousands is one line.
 *
 * @param first the first of its records, as the API shows it
 * @param records how many it has
 */
public record WaitingChange(JsonNode first, int records) {

    /** The records that wait, put together by their change. */
    public static List<WaitingChange> of(JsonNode waiting) {
        Map<Long, WaitingChange> changes = new LinkedHashMap<>();
        for (JsonNode each : waiting) {
            changes.merge(
                    each.path("change").asLong(),
                    new WaitingChange(each, 1),
                    (known, one) -> new WaitingChange(known.first(), known.records() + 1));
        }
        return new ArrayList<>(changes.values());
    }

    /** The key of the first, and how many come into force with it. */
    public String name() {
        String key = first.path("key").asText();
        return records == 1 ? key : key + " and " + Texts.count(records - 1) + " more of its file";
    }
}
