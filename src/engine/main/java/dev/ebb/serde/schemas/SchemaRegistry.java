package dev.ebb.serde.schemas;

import java.io.IOException;
import java.util.Optional;

/** What Ebb needs of a schema registry: texts by id, and ids by text. Every method may block; thread-safe. */
public interface SchemaRegistry extends AutoCloseable {

    /** What a new version of a subject must keep to. */
    enum Compatibility {
        /** Readers with the new schema can read what all older versions wrote. */
        BACKWARD_TRANSITIVE,
        /** Readers with the new schema can read what the last version wrote, and the other way round. */
        FULL
    }

    /**
     * The schema with this id as one self-contained text; empty if the registry says that it has none.
     *
     * @throws IOException if the registry does not answer, or with something else; asking again may help
     */
    Optional<String> find(int id) throws IOException;

    /**
     * The id of this schema under the subject, under which it is registered if it is not yet.
     *
     * @throws IOException if the registry does not answer; asking again may help
     * @throws SchemaRefusedException if the registry refuses the schema; asking again does not help
     */
    int register(String subject, String schema) throws IOException;

    /**
     * Sets what new versions of the subject must keep to, unless that is set already.
     *
     * @throws IOException if the registry does not answer; asking again may help
     * @throws SchemaRefusedException if the registry refuses to; asking again does not help
     */
    void requireCompatibility(String subject, Compatibility compatibility) throws IOException;

    @Override
    void close();
}
