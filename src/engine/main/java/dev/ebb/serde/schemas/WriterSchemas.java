package dev.ebb.serde.schemas;

import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumReader;

/** The schemas that records were written with, by their id, each as a reader for such records. Thread-safe. */
interface WriterSchemas extends AutoCloseable {

    /**
     * A thread-safe reader that gives records in the schema they were written with.
     *
     * @throws SchemaPendingException if the schema is not known yet
     * @throws UnknownSchemaException if the registry has no such schema
     * @throws org.apache.kafka.common.errors.SerializationException if it is no schema of an Avro record
     */
    DatumReader<GenericRecord> reader(int id);

    @Override
    void close();
}
