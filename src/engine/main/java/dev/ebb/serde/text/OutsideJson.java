package dev.ebb.serde.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;

/**
 * Factories for JSON that somebody else wrote. They keep no table of the names of fields: Jackson's refuses names that have
 * the same hash, which are names like others, and keeps those of one document for the next. Stateless.
 */
public final class OutsideJson {

    private OutsideJson() {}

    /** A factory with Jackson's limits: names of 50 000 characters, numbers of 1000 digits, 1000 levels. */
    public static JsonFactory factory() {
        return builder().build();
    }

    /** A factory for what is stored already: names and texts are as long as the document is. */
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
