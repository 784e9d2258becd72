package dev.ebb.serde.schemas;

import java.io.IOException;
import java.util.Optional;

/**
 * The functions of a schema registry that Ebb needs: texts by id, and ids by text. Every method may block. Thread-safe.
 */
public interface SchemaRegistry extends AutoCloseable {

    /** Rules for a new version of a subject. */
    enum Compatibility {
        /** Readers with the new schema can read records of all older versions. */
        BACKWARD_TRANSITIVE,
        /** Readers with the new schema can read records of the last version, and vice versa. */
        FULL
    }

    /**
     * Returns the schema with this id as one self-contained text; empty if the registry answers that it has none.
     *
     * @throws IOException if the registry does not answer, or gives an unexpected answer; asking again may help
     */
    Optional<String> find(int id) throws IOException;

    /**
     * Returns the id of this schema under the subject; registers the schema there if necessary.
     *
     * @throws IOException if the registry does not answer; asking again may help
     * @throws SchemaRefusedException if the registry refuses the schema; asking again does not help
     */
    int register(String subject, String schema) throws IOException;

    /**
     * Sets the rule for new versions of the subject, unless it is set already.
     *
     * @throws IOException if the registry does not answer; asking again may help
     * @throws SchemaRefusedException if the registry refuses the rule; asking again does not help
     */
    void requireCompatibility(String subject, Compatibility compatibility) throws IOException;

    @Override
    void close();
}
