package dev.ebb.serde.records;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.serde.schemas.RejectedException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Java records as Avro records and back, component by component. A field has the name of its component, without
 * {@code is} before a truth value, and without {@code Ms} behind a time, or with {@code At} in its place. Times are
 * epoch milliseconds, constants are texts, and a sealed interface is a union of the records that it permits. A missing
 * field has its default.
 */
final class Components {

    /** How a value of one type is written and read; neither is asked for null. */
    private record Codec(Function<Object, Object> writer, BiFunction<String, Object, Object> reader) {

        static Codec plain(BiFunction<String, Object, @Nullable Object> reader) {
            return new Codec(value -> value, (field, avro) -> Objects.requireNonNull(reader.apply(field, avro)));
        }
    }

    /** A component and its field. */
    private record Bound(RecordComponent component, Schema.Field field, Codec codec) {

        void write(Object from, GenericRecord avro) {
            try {
                Object value = component.getAccessor().invoke(from);
                avro.put(field.pos(), value == null ? null : codec.writer.apply(value));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("the component " + component + " cannot be read", e);
            }
        }

        @Nullable
        Object read(Fields fields) {
            Object avro = fields.get(field.name());
            if (avro == null && field.hasDefaultValue()) {
                avro = GenericData.get().getDefaultValue(field);
                return avro == null ? null : codec.reader.apply(field.name(), avro);
            }
            return codec.reader.apply(field.name(), fields.given(field.name()));
        }
    }

    private Components() {}

    /**
     * Binds the record to the schema.
     *
     * @throws IllegalArgumentException if a component has no field, or a field no component
     */
    static <R> BoundRecord<R> of(Class<R> type, Schema schema) {
        List<Bound> bounds = Arrays.stream(type.getRecordComponents())
                .map(component -> bound(component, schema))
                .toList();
        if (bounds.stream().map(Bound::field).distinct().count()
                != schema.getFields().size()) {
            throw new IllegalArgumentException(schema + " has not the fields of " + type);
        }
        Constructor<R> maker = maker(type);
        return new BoundRecord<>(
                schema,
                (value, avro) -> bounds.forEach(bound -> bound.write(value, avro)),
                fields -> make(
                        maker, bounds.stream().map(bound -> bound.read(fields)).toArray()));
    }

    private static Bound bound(RecordComponent component, Schema schema) {
        component.getAccessor().setAccessible(true);
        Schema.Field field = names(component.getName()).stream()
                .map(schema::getField)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(schema + " has no field for " + component));
        return new Bound(component, field, codec(component.getGenericType(), field.schema()));
    }

    private static List<String> names(String component) {
        String withoutMs = component.replaceFirst("Ms$", "");
        String withoutIs = component.replaceFirst("^is", "");
        return List.of(
                component,
                withoutMs,
                withoutMs + "At",
                withoutIs.substring(0, 1).toLowerCase(Locale.ROOT) + withoutIs.substring(1));
    }

    private static <R> Constructor<R> maker(Class<R> type) {
        try {
            Constructor<R> maker = type.getDeclaredConstructor(Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class[]::new));
            maker.setAccessible(true);
            return maker;
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(type + " is no record", e);
        }
    }

    private static <R> R make(Constructor<R> maker, @Nullable Object[] values) {
        try {
            return maker.newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RejectedException refused ? refused : refused(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(maker + " cannot be called", e);
        }
    }

    /** A value that its record does not take is a fault of the one who wrote it. */
    private static RejectedException refused(InvocationTargetException failure) {
        Throwable why = failure.getCause();
        return new RejectedException(
                RejectReason.UNDECODABLE, String.valueOf(why == null ? failure : why.getMessage()));
    }

    private static Codec codec(Type type, Schema schema) {
        Schema plain = schema.isNullable() ? notNull(schema) : schema;
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            return generic.getRawType() == List.class
                    ? list(codec(of[0], plain.getElementType()))
                    : map((Class<?>) of[0], codec(of[1], plain.getValueType()));
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isSealed()) {
            return sealed(raw, plain);
        }
        if (raw.isRecord()) {
            BoundRecord<Object> bound = nested(raw, plain);
            return new Codec(bound::write, bound::read);
        }
        return raw.isEnum() ? constant(raw) : scalar(raw);
    }

    private static Schema notNull(Schema union) {
        return union.getTypes().stream()
                .filter(type -> type.getType() != Schema.Type.NULL)
                .findFirst()
                .orElse(union);
    }

    @SuppressWarnings("unchecked")
    private static BoundRecord<Object> nested(Class<?> type, Schema schema) {
        return (BoundRecord<Object>) of(type, schema);
    }

    private static Codec scalar(Class<?> type) {
        if (type == String.class) {
            return Codec.plain(FieldValue::text);
        }
        if (type == long.class || type == Long.class) {
            return Codec.plain(FieldValue::number);
        }
        if (type == int.class || type == Integer.class) {
            return Codec.plain(
                    (field, avro) -> Math.toIntExact(Objects.requireNonNull(FieldValue.number(field, avro))));
        }
        if (type == boolean.class || type == Boolean.class) {
            return Codec.plain(FieldValue::truth);
        }
        if (type == Instant.class) {
            return new Codec(
                    time -> ((Instant) time).toEpochMilli(),
                    (field, avro) -> Instant.ofEpochMilli(Objects.requireNonNull(FieldValue.number(field, avro))));
        }
        throw new IllegalArgumentException(type + " has no form in Avro");
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Codec constant(Class<?> type) {
        return new Codec(
                value -> ((Enum<?>) value).name(), (field, avro) -> FieldValue.constant((Class) type, field, avro));
    }

    private static Codec list(Codec element) {
        return new Codec(value -> ((List<?>) value).stream().map(element.writer).toList(), (field, avro) -> {
            List<Object> read = new ArrayList<>();
            FieldValue.list(field, avro).forEach(one -> read.add(element.reader.apply(field, one)));
            return read;
        });
    }

    private static Codec map(Class<?> key, Codec value) {
        Codec keys = key.isEnum() ? constant(key) : new Codec(name -> name, (field, name) -> name.toString());
        return new Codec(
                map -> converted((Map<?, ?>) map, keys.writer, value.writer),
                (field, avro) -> converted(
                        FieldValue.map(field, avro),
                        name -> keys.reader.apply(field, name),
                        one -> value.reader.apply(field, one)));
    }

    private static Map<Object, Object> converted(
            Map<?, ?> map, Function<Object, Object> key, Function<Object, Object> value) {
        Map<Object, Object> result = new HashMap<>();
        map.forEach((name, one) -> result.put(key.apply(name), value.apply(one)));
        return result;
    }

    /** A record of the union has the simple name of its class. */
    private static Codec sealed(Class<?> type, Schema union) {
        Map<String, BoundRecord<Object>> kinds = new HashMap<>();
        for (Class<?> kind : type.getPermittedSubclasses()) {
            Schema schema = union.getTypes().stream()
                    .filter(one -> one.getName().equals(kind.getSimpleName()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(union + " has no " + kind));
            kinds.put(kind.getSimpleName(), nested(kind, schema));
        }
        return new Codec(
                value -> Objects.requireNonNull(kinds.get(value.getClass().getSimpleName()))
                        .write(value),
                (field, avro) -> {
                    IndexedRecord one = FieldValue.record(field, avro);
                    BoundRecord<Object> kind = kinds.get(one.getSchema().getName());
                    if (kind == null) {
                        throw FieldValue.unknown(field, one.getSchema().getName());
                    }
                    return kind.read(one);
                });
    }
}
