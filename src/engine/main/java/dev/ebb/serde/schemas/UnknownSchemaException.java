package dev.ebb.serde.schemas;

import org.apache.kafka.common.errors.SerializationException;

/** Thrown when the registry answers that it does not know the schema of a record. */
final class UnknownSchemaException extends SerializationException {

    UnknownSchemaException(int id) {
        super("the registry has no schema with the id " + id);
    }
}
