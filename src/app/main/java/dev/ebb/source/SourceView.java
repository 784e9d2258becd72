package dev.ebb.source;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.source.Source;
import dev.ebb.serde.text.SourceJson;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.util.List;

/**
 * A source in force.
 *
 * @param name the name of the source
 * @param topic the topic that it reads
 * @param as {@code table} or {@code log}
 * @param stream the template of the streams of its events
 * @param keep the part of a record that is stored
 * @param target the consequence of a removal for the topic
 * @param mode the mode of the namespace of its events: {@code warn} until a policy says {@code enforce}; {@code by
 *     namespace} if its records name the namespace
 * @param declaration its fields as they are written in a file, without those that have their usual value
 */
public record SourceView(
        String name,
        String topic,
        String as,
        String stream,
        String keep,
        String target,
        String mode,
        JsonNode declaration) {

    /** Lists the sources in force. */
    public static final Read<Read.All, All> LIST = new Read<>(
            "/v1/sources",
            "Lists the sources in force, and whether sweeps delete their events.",
            Read.All.class,
            All.class);

    /** Shows one source. */
    public static final Read<OfName, SourceView> SHOW =
            new Read<>("/v1/sources/{name}", "Shows a source with its declaration.", OfName.class, SourceView.class);

    /** The name of a source. */
    public record OfName(
            @Parameter("The name of the source.") String name) {}

    /** All sources in force, and the version of the policies in force. */
    public record All(long version, List<SourceView> sources) {}

    static SourceView of(Source source, PolicySet policies) {
        return new SourceView(
                source.name(),
                source.topic(),
                source.form().text(),
                source.fields().stream().toString(),
                source.keep().text(),
                source.target().toString(),
                mode(source, policies),
                SourceJson.write(source));
    }

    private static String mode(Source source, PolicySet policies) {
        String namespace = source.namespace();
        return namespace == null
                ? "by namespace"
                : policies.effectiveIn(namespace).get(PolicyField.MODE).value().text();
    }
}
