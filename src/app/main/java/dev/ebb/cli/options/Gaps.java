package dev.ebb.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.terminal.Texts;
import java.util.ArrayList;
import java.util.List;

/** Parts that an answer lacks, in words. */
public final class Gaps {

    private Gaps() {}

    /** Says below a table which instances are missing in it, and what of it is old. */
    public static void note(JsonNode answer, OutputOptions output) {
        if (output.isTable()) {
            answer.path("unanswered").forEach(one -> output.note("Not exact: " + missing(one)));
            answer.path("stale").forEach(one -> output.note("Old: " + stale(one)));
        }
    }

    /** An instance that gave no answer. */
    private static String missing(JsonNode unanswered) {
        String partitions = partitions(unanswered);
        return "the instance at " + unanswered.path("instance").asText()
                + (partitions.isEmpty() ? "" : ", which keeps partitions " + partitions + ",") + " gave no answer: "
                + unanswered.path("reason").asText();
    }

    /** The partitions of an instance that gave no answer, separated by commas. */
    public static String partitions(JsonNode unanswered) {
        List<String> partitions = new ArrayList<>();
        unanswered.path("partitions").forEach(partition -> partitions.add(partition.asText()));
        return String.join(", ", partitions);
    }

    private static String stale(JsonNode copy) {
        JsonNode lag = copy.path("lagRecords");
        return "a copy of partition " + copy.path("partition").asText() + " answered, at "
                + copy.path("instance").asText()
                + (lag.isNumber()
                        ? ", " + Texts.counted(lag, "record") + " behind"
                        : "; nobody knows how far it is behind");
    }
}
