package dev.ebb.serde.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;

/**
 * Factories for JSON from outside. They keep no table of field names: Jackson's table refuses valid names with equal
 * hashes, and keeps the names of one document for the next. Stateless.
 */
public final class OutsideJson {

    private OutsideJson() {}

    /** Returns a factory with Jackson's limits: names of 50 000 characters, numbers of 1000 digits, 1000 levels. */
    public static JsonFactory factory() {
        return builder().build();
    }

    /** Returns a factory for stored documents: names and texts may be as long as the document. */
    public static JsonFactory ofStored() {
        return builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNameLength(Integer.MAX_VALUE)
                        .maxStringLength(Integer.MAX_VALUE)
                        .build())
                .build();
    }

    public static JsonFactoryBuilder builder() {
        return new JsonFactoryBuilder()
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES);
    }
}
