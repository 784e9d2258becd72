package dev.ebb.serde.source;

import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceReader;

/** Makes readers for sources with converters of Kafka Connect. Thread-safe. */
public interface ConverterReaders extends AutoCloseable {

    /**
     * Returns a reader of the records of a source whose key or value has a converter.
     *
     * @param builtIn reads the part that has a built-in format, and headers
     * @throws RuntimeException if a class cannot be had; the message names the fix
     */
    SourceReader reader(Source source, SourceReader builtIn);

    @Override
    void close();
}
