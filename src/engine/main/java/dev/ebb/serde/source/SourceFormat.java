package dev.ebb.serde.source;

import org.jspecify.annotations.Nullable;

/** Reads keys or values in one format. Thread-safe. */
@FunctionalInterface
public interface SourceFormat {

    /**
     * Returns the value of these bytes in the forms of {@link dev.ebb.domain.source.SourceObject#field}; null if they
     * stand for null.
     *
     * @throws org.apache.kafka.common.errors.SerializationException if the bytes are not in this format; its message is
     *     the end of a sentence that begins with the part of the record, and names no value
     * @throws dev.ebb.serde.schemas.RegistryUnavailableException if the registry does not answer; a later try may help
     */
    @Nullable
    Object read(byte[] bytes);
}
