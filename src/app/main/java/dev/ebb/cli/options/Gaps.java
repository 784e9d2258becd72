package dev.ebb.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.StaleView;
import dev.ebb.wire.UnansweredView;
import java.util.List;
import java.util.stream.Collectors;

/** Missing and stale parts of an answer, in words. */
public final class Gaps {

    private Gaps() {}

    /** The missing and stale parts of any answer. */
    private record Lacking(List<UnansweredView> unanswered, List<StaleView> stale) {}

    /** Notes below a table which instances are missing from it, and which parts are stale. */
    public static void note(JsonNode answer, OutputOptions output) {
        if (output.isTable()) {
            Lacking lacking = Json.as(answer, Lacking.class);
            lacking.unanswered().forEach(one -> output.note("Not exact: " + missing(one)));
            lacking.stale().forEach(one -> output.note("Old: " + stale(one)));
        }
    }

    /** Returns the text for an instance that gave no answer. */
    private static String missing(UnansweredView unanswered) {
        String partitions = partitions(unanswered);
        return "the instance at " + unanswered.instance()
                + (partitions.isEmpty() ? "" : ", which keeps partitions " + partitions + ",") + " did not answer: "
                + unanswered.reason();
    }

    /** Returns the partitions of an instance that gave no answer, separated by commas. */
    public static String partitions(UnansweredView unanswered) {
        return unanswered.partitions().stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String stale(StaleView copy) {
        Long lag = copy.lagRecords();
        return "a copy of partition " + copy.partition() + " answered, at " + copy.instance()
                + (lag == null ? "; how far it is behind is unknown" : ", " + Texts.counted(lag, "record") + " behind");
    }
}
