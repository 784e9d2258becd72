package dev.ebb.serde.schemas;

import java.util.HashSet;
import java.util.Set;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumReader;
import org.apache.kafka.common.errors.SerializationException;

/** Makes readers from the schemas with which records were written. */
final class WriterSchema {

    private WriterSchema() {}

    /** @throws SerializationException if the text is not a schema of an Avro record */
    static DatumReader<GenericRecord> reader(int id, String text) {
        Schema schema = ofStrings(id, text);
        if (schema.getType() != Schema.Type.RECORD) {
            throw new SerializationException("schema " + id + " is not a record but a "
                    + schema.getType().getName());
        }
        return new GenericDatumReader<>(schema, schema, new GenericData());
    }

    /**
     * Returns a schema of any type whose texts are read as strings.
     *
     * @throws SerializationException if the text is not a schema
     */
    static Schema ofStrings(int id, String text) {
        Schema schema = parse(id, text);
        readTextsAsStrings(schema, new HashSet<>());
        return schema;
    }

    /**
     * Parses a schema without a check of defaults, which do not matter for reading with the writer's schema; other
     * writers allow wrong defaults.
     */
    private static Schema parse(int id, String text) {
        try {
            return new Schema.Parser().setValidateDefaults(false).parse(text);
        } catch (AvroRuntimeException | StackOverflowError e) {
            throw new SerializationException("schema " + id + " is not an Avro schema: " + e.getMessage(), e);
        }
    }

    /** Sets a property without which Avro reads every text as a Utf8 that must then be converted to a String. */
    private static void readTextsAsStrings(Schema schema, Set<String> seen) {
        switch (schema.getType()) {
            case STRING -> readAsString(schema);
            case MAP -> {
                readAsString(schema);
                readTextsAsStrings(schema.getValueType(), seen);
            }
            case ARRAY -> readTextsAsStrings(schema.getElementType(), seen);
            case UNION -> schema.getTypes().forEach(type -> readTextsAsStrings(type, seen));
            case RECORD -> {
                if (seen.add(schema.getFullName())) {
                    schema.getFields().forEach(field -> readTextsAsStrings(field.schema(), seen));
                }
            }
            default -> {}
        }
    }

    private static void readAsString(Schema schema) {
        if (schema.getObjectProp(GenericData.STRING_PROP) == null) {
            schema.addProp(GenericData.STRING_PROP, GenericData.StringType.String.name());
        }
    }
}
