package dev.ebb.serde.records;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.serde.schemas.RejectedException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Conversion between the values of a Java type and those of an Avro field. Immutable.
 *
 * @param toAvro makes the Avro value
 * @param fromAvro makes the Java value of the field with that name; throws {@link RejectedException} if it cannot
 */
record Conversion(Function<Object, Object> toAvro, BiFunction<String, Object, Object> fromAvro) {

    private static final Map<Class<?>, Conversion> SIMPLE = Map.of(
            String.class, reading(FieldValue::text),
            long.class, reading(FieldValue::number),
            Long.class, reading(FieldValue::number),
            int.class, reading(Conversion::integer),
            boolean.class, reading(FieldValue::truth));

    /** The conversion of a field, which may be null. */
    static Conversion of(Type type, Schema.Field field) {
        Schema schema = field.schema();
        return of(
                type, schema.isUnion() ? schema.getTypes().get(schema.getTypes().size() - 1) : schema);
    }

    /** @throws IllegalArgumentException for a type that no field has */
    private static Conversion of(Type type, Schema schema) {
        if (type instanceof ParameterizedType container) {
            return ofContainer(container.getActualTypeArguments(), schema);
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isEnum()) {
            return ofConstants(plain);
        }
        if (plain.isRecord()) {
            return ofRecords(new RecordBinder<>(plain.asSubclass(Record.class), schema));
        }
        Conversion simple = SIMPLE.get(plain);
        if (simple == null) {
            throw new IllegalArgumentException("no field can be a " + type);
        }
        return simple;
    }

    private static Conversion reading(BiFunction<String, Object, @Nullable Object> fromAvro) {
        return new Conversion(
                value -> value, (field, value) -> Objects.requireNonNull(fromAvro.apply(field, value), field));
    }

    private static Integer integer(String field, Object value) {
        return Math.toIntExact(Objects.requireNonNull(FieldValue.number(field, value)));
    }

    private static Conversion ofConstants(Class<?> type) {
        Map<String, Object> constants = new HashMap<>();
        for (Object constant : type.getEnumConstants()) {
            constants.put(((Enum<?>) constant).name(), constant);
        }
        return new Conversion(constant -> ((Enum<?>) constant).name(), (field, value) -> {
            Object constant = constants.get(String.valueOf(value));
            if (constant == null) {
                throw new RejectedException(
                        RejectReason.UNDECODABLE, field + " is '" + value + "', which is not known here");
            }
            return constant;
        });
    }

    private static Conversion ofRecords(RecordBinder<?> binder) {
        return new Conversion(
                binder::write, (field, value) -> binder.read(as(IndexedRecord.class, field, "a record", value)));
    }

    private static Conversion ofContainer(Type[] parts, Schema schema) {
        return schema.getType() == Schema.Type.MAP
                ? ofMaps(of(parts[0], schema), of(parts[1], schema.getValueType()))
                : ofLists(of(parts[0], schema.getElementType()));
    }

    private static Conversion ofLists(Conversion element) {
        return new Conversion(
                list -> ((List<?>) list).stream().map(element.toAvro()).toList(), (field, value) -> {
                    Collection<?> parts = as(Collection.class, field, "a list", value);
                    List<Object> list = new ArrayList<>();
                    parts.forEach(part -> list.add(element.fromAvro().apply(field, part)));
                    return list;
                });
    }

    private static Conversion ofMaps(Conversion key, Conversion value) {
        return new Conversion(
                map -> converted((Map<?, ?>) map, key.toAvro(), value.toAvro()),
                (field, map) -> converted(
                        as(Map.class, field, "a map", map),
                        name -> key.fromAvro().apply(field, name),
                        part -> value.fromAvro().apply(field, part)));
    }

    private static Map<Object, Object> converted(
            Map<?, ?> map, Function<Object, Object> key, Function<Object, Object> value) {
        Map<Object, Object> result = new HashMap<>();
        map.forEach((name, part) -> result.put(key.apply(name), value.apply(part)));
        return result;
    }

    private static <T> T as(Class<T> type, String field, String wanted, Object value) {
        if (!type.isInstance(value)) {
            throw new RejectedException(
                    RejectReason.UNDECODABLE, field + " must be " + wanted + ", was '" + value + "'");
        }
        return type.cast(value);
    }
}
