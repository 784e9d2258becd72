package dev.ebb.cli.send;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.serde.text.SourceJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a delete does beyond Ebb: the tombstones that it writes to topics of other owners (F-6). */
final class TombstonesAhead {

    private TombstonesAhead() {}

    /** Returns a sentence for each source with tombstones whose events the command may delete. */
    static List<String> of(RestApi rest, CommandCall call) {
        List<String> sentences = new ArrayList<>();
        try {
            for (JsonNode one : rest.get(RestPath.of("v1", "sources")).path("sources")) {
                Optional<Source> source = SourceJson.read(
                                one.path("declaration").toString().getBytes(StandardCharsets.UTF_8))
                        .source();
                source.filter(call::mayReach)
                        .filter(reached -> reached.target().hasTombstones())
                        .map(TombstonesAhead::sentence)
                        .ifPresent(sentences::add);
            }
        } catch (CommandFailure e) {
            sentences.add("Whether topics of sources get tombstones is not known now: " + e.getMessage());
        }
        return sentences;
    }

    private static String sentence(Source source) {
        SourceTarget target = source.target();
        String topic = target.kind() == SourceTarget.Kind.SAME ? source.topic() : target.topic();
        return "Each deleted event of the source " + source.name() + " gets a tombstone in the topic " + topic + ".";
    }
}
