package dev.ebb.serde.records;

import dev.ebb.serde.schemas.RejectedException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;

/**
 * A kind of Avro record for the values of one class, with a function for each direction. Caches the positions of the
 * fields in the last schema that it read. Thread-safe.
 */
final class BoundRecord<R> {

    private final Schema schema;
    private final BiConsumer<R, GenericRecord> writer;
    private final Function<Fields, R> reader;
    private volatile FieldMap lastMap;

    BoundRecord(Schema schema, BiConsumer<R, GenericRecord> writer, Function<Fields, R> reader) {
        this.schema = schema;
        this.writer = writer;
        this.reader = reader;
        this.lastMap = FieldMap.of(schema, schema);
    }

    GenericRecord write(R value) {
        GenericRecord avro = new GenericData.Record(schema);
        writer.accept(value, avro);
        return avro;
    }

    /** @throws RejectedException if a field is missing or invalid */
    R read(IndexedRecord avro) {
        FieldMap map = lastMap;
        if (!map.isFor(avro.getSchema())) {
            map = FieldMap.of(schema, avro.getSchema());
            lastMap = map;
        }
        return reader.apply(new Fields(avro, map, schema));
    }

    /** Returns the value of a field whose Avro value is such a record. */
    R read(String field, Object value) {
        return read(FieldValue.record(field, value));
    }
}
