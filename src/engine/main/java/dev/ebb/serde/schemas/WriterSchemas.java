package dev.ebb.serde.schemas;

import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumReader;

/** Schemas with which records were written, by id, each as a reader for such records. Thread-safe. */
interface WriterSchemas extends AutoCloseable {

    /**
     * Returns a thread-safe reader that returns records in the schema with which they were written.
     *
     * @throws SchemaPendingException if the schema is not known yet
     * @throws UnknownSchemaException if the registry has no such schema
     * @throws org.apache.kafka.common.errors.SerializationException if the schema is not a schema of an Avro record
     */
    DatumReader<GenericRecord> reader(int id);

    @Override
    void close();
}
