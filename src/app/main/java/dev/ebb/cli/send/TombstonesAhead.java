package dev.ebb.cli.send;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.domain.source.Source;
import dev.ebb.serde.text.SourceJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a delete does beyond Ebb: the tombstones that it writes to topics of other owners (F-6). */
public final class TombstonesAhead {

    private TombstonesAhead() {}

    /** Returns a sentence for each source with tombstones whose events the command may delete. */
    static List<String> of(RestApi rest, CommandCall call) {
        List<String> sentences = new ArrayList<>();
        try {
            sources(rest).stream()
                    .filter(call::mayReach)
                    .filter(reached -> reached.target().hasTombstones())
                    .map(TombstonesAhead::sentence)
                    .forEach(sentences::add);
        } catch (CommandFailure e) {
            sentences.add("Whether topics of sources get tombstones is not known now: " + e.getMessage());
        }
        return sentences;
    }

    /** Returns the sources in force. */
    public static List<Source> sources(RestApi rest) {
        List<Source> sources = new ArrayList<>();
        for (JsonNode one : rest.get(RestPath.of("v1", "sources")).path("sources")) {
            SourceJson.read(one.path("declaration").toString().getBytes(StandardCharsets.UTF_8))
                    .source()
                    .ifPresent(sources::add);
        }
        return sources;
    }

    private static String sentence(Source source) {
        return "Each deleted event of the source " + source.name() + " gets a tombstone in the topic "
                + source.tombstoneTopic() + ".";
    }
}
