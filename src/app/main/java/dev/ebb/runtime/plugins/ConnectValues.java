package dev.ebb.runtime.plugins;

import dev.ebb.domain.source.SourceObject;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.jspecify.annotations.Nullable;

/** Values of Kafka Connect as values that paths look into. Times of Debezium are read as their schema declares them. */
final class ConnectValues {

    private ConnectValues() {}

    /** @param schema null for a value without one */
    static @Nullable Object plain(@Nullable Schema schema, @Nullable Object value) {
        if (value instanceof Struct struct) {
            return (SourceObject) name -> field(struct, name);
        } else if (value instanceof Map<?, ?> map) {
            return (SourceObject) name -> plain(schema == null ? null : schema.valueSchema(), map.get(name));
        } else if (value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long) {
            return number(schema, ((Number) value).longValue());
        } else if (value instanceof Float number) {
            return number.doubleValue();
        } else if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        } else if (value instanceof Date date) {
            return date(schema, date);
        }
        return value instanceof List ? List.of() : value;
    }

    private static @Nullable Object field(Struct struct, String name) {
        Field field = struct.schema().field(name);
        return field == null ? null : plain(field.schema(), struct.get(field));
    }

    private static Object number(@Nullable Schema schema, long number) {
        String type = schema == null || schema.name() == null ? "" : schema.name();
        return switch (type) {
            case "io.debezium.time.Timestamp" -> Instant.ofEpochMilli(number);
            case "io.debezium.time.MicroTimestamp" -> Instant.EPOCH.plus(number, ChronoUnit.MICROS);
            case "io.debezium.time.NanoTimestamp" -> Instant.EPOCH.plusNanos(number);
            case "io.debezium.time.Date" ->
                Math.abs(number) < LocalDate.MAX.toEpochDay() ? (Object) LocalDate.ofEpochDay(number) : (Long) number;
            default -> number;
        };
    }

    /** A time of day has no day, and stays a number: its milliseconds. */
    private static Object date(@Nullable Schema schema, Date date) {
        String type = schema == null || schema.name() == null ? "" : schema.name();
        Instant instant = date.toInstant();
        return switch (type) {
            case Time.LOGICAL_NAME -> (Long) instant.toEpochMilli();
            case org.apache.kafka.connect.data.Date.LOGICAL_NAME ->
                instant.atZone(ZoneOffset.UTC).toLocalDate();
            default -> instant;
        };
    }
}
