package dev.ebb.serde.source;

import dev.ebb.domain.source.SourceObject;
import dev.ebb.serde.schemas.AnyAvro;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Avro in Confluent's wire format. Logical types of times and decimals are read as their schema declares them. */
final class AvroFormat implements SourceFormat {

    private final AnyAvro avro;

    AvroFormat(AnyAvro avro) {
        this.avro = avro;
    }

    @Override
    public @Nullable Object read(byte[] bytes) {
        AnyAvro.Value value = avro.read(bytes);
        return plain(value.schema(), value.datum());
    }

    private static @Nullable Object plain(Schema declared, @Nullable Object datum) {
        if (datum == null) {
            return null;
        }
        Schema schema = declared.getType() == Schema.Type.UNION
                ? declared.getTypes().get(GenericData.get().resolveUnion(declared, datum))
                : declared;
        if (datum instanceof GenericRecord record) {
            return (SourceObject) name -> field(record, name);
        } else if (datum instanceof Map<?, ?> map) {
            return (SourceObject) name -> plain(schema.getValueType(), map.get(name));
        } else if (datum instanceof Integer || datum instanceof Long) {
            return number(schema.getLogicalType(), ((Number) datum).longValue());
        } else if (datum instanceof Float || datum instanceof Double) {
            return ((Number) datum).doubleValue();
        } else if (datum instanceof CharSequence || datum instanceof GenericData.EnumSymbol) {
            return datum.toString();
        } else if (datum instanceof ByteBuffer bytes) {
            return bytes(schema.getLogicalType(), array(bytes));
        } else if (datum instanceof GenericFixed fixed) {
            return bytes(schema.getLogicalType(), fixed.bytes());
        }
        return datum instanceof List ? List.of() : datum;
    }

    private static @Nullable Object field(IndexedRecord record, String name) {
        Schema.Field field = record.getSchema().getField(name);
        return field == null ? null : plain(field.schema(), record.get(field.pos()));
    }

    private static Object number(@Nullable LogicalType type, long number) {
        if (type == null) {
            return number;
        }
        try {
            return switch (type.getName()) {
                case "timestamp-millis" -> Instant.ofEpochMilli(number);
                case "timestamp-micros" -> Instant.EPOCH.plus(number, ChronoUnit.MICROS);
                case "timestamp-nanos" -> Instant.EPOCH.plusNanos(number);
                case "date" -> LocalDate.ofEpochDay(number);
                default -> number;
            };
        } catch (DateTimeException | ArithmeticException e) {
            return number;
        }
    }

    private static Object bytes(@Nullable LogicalType type, byte[] bytes) {
        return type instanceof LogicalTypes.Decimal decimal && bytes.length > 0
                ? new BigDecimal(new BigInteger(bytes), decimal.getScale())
                : bytes;
    }

    private static byte[] array(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
