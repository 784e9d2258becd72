package dev.ebb.serde.text;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.source.Source;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Declarations of sources as JSON, with the fields that files have. Stateless. */
public final class SourceJson {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> FIELDS = new TypeReference<>() {};

    private SourceJson() {}

    /** Returns the declaration of a source, without fields that have their usual value. */
    public static ObjectNode write(Source source) {
        return SourceWriter.write(source);
    }

    /** Reads a declaration; whatever it is, a fault of it is named. */
    public static ParsedSource read(byte[] json) {
        try {
            return SourceParser.parse(MAPPER.readValue(json, FIELDS));
        } catch (IOException e) {
            return new ParsedSource(
                    Optional.empty(), List.of(PolicyProblem.fault("source", "must be an object in JSON")));
        }
    }
}
