package dev.ebb.serde.records;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.serde.schemas.RejectedException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Binds the components of a Java record to the fields of an Avro record by their names: {@code isX} to {@code x}, and
 * {@code xMs} to {@code x} or {@code xAt}. A component without a field is a record whose components have fields. A field
 * without a component is written by the method of its name. Thread-safe. Made for records that are rare; those of events
 * are written and read by hand, which is faster.
 *
 * <p>A field that the author of a record did not know has its default. Without one it is required.
 */
final class RecordBinder<R extends Record> {

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private final Schema schema;
    private final Map<String, Function<Fields, @Nullable Object>> computed;
    private final List<Column> columns = new ArrayList<>();
    private final Function<Fields, @Nullable Object> reader;
    private volatile FieldMap lastMap;

    RecordBinder(Class<R> type, Schema schema) {
        this(type, schema, Map.of());
    }

    /**
     * @param computed functions for components without a field, by the name of the component
     * @throws IllegalArgumentException if a component or a field is left over
     */
    RecordBinder(Class<R> type, Schema schema, Map<String, Function<Fields, @Nullable Object>> computed) {
        this.schema = schema;
        this.computed = computed;
        this.lastMap = FieldMap.of(schema, schema);
        this.reader = reader(type, MethodHandles.identity(type));
        bindMethods(type);
    }

    GenericRecord write(Object value) {
        GenericRecord avro = new GenericData.Record(schema);
        columns.forEach(column -> avro.put(column.field.pos(), column.write(value)));
        return avro;
    }

    /** @throws RejectedException if a field is missing or cannot be understood */
    @SuppressWarnings("unchecked")
    R read(IndexedRecord avro) {
        FieldMap map = lastMap;
        if (!map.isFor(avro.getSchema())) {
            map = FieldMap.of(schema, avro.getSchema());
            lastMap = map;
        }
        return (R) Objects.requireNonNull(reader.apply(new Fields(avro, map, schema)));
    }

    private Function<Fields, @Nullable Object> reader(Class<?> type, MethodHandle path) {
        List<Function<Fields, @Nullable Object>> arguments = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            arguments.add(argument(component, path));
        }
        MethodHandle constructor = constructor(type);
        return fields -> call(
                constructor,
                arguments.stream().map(argument -> argument.apply(fields)).toArray());
    }

    private Function<Fields, @Nullable Object> argument(RecordComponent component, MethodHandle path) {
        String name = component.getName();
        MethodHandle getter = MethodHandles.filterReturnValue(path, method(component.getDeclaringRecord(), name));
        Schema.Field field = field(name);
        if (field != null) {
            return bind(field, component.getGenericType(), getter)::read;
        }
        Function<Fields, @Nullable Object> function = computed.get(name);
        if (function == null && !component.getType().isRecord()) {
            throw new IllegalArgumentException(schema.getFullName() + " has no field for " + component);
        }
        return function == null ? reader(component.getType(), getter) : function;
    }

    private void bindMethods(Class<R> type) {
        for (Schema.Field field : schema.getFields()) {
            if (columns.stream().noneMatch(column -> column.field.equals(field))) {
                MethodHandle method = method(type, field.name());
                bind(field, method.type().returnType(), method);
            }
        }
    }

    private Column bind(Schema.Field field, Type type, MethodHandle getter) {
        Column column = new Column(field, getter.asType(MethodType.genericMethodType(1)), Conversion.of(type, field));
        columns.add(column);
        return column;
    }

    private Schema.@Nullable Field field(String component) {
        String timeless = component.endsWith("Ms") ? component.substring(0, component.length() - 2) : component;
        String plain = component.matches("is[A-Z].*")
                ? Character.toLowerCase(component.charAt(2)) + component.substring(3)
                : component;
        for (String name : List.of(component, timeless, timeless + "At", plain)) {
            if (schema.getField(name) != null) {
                return schema.getField(name);
            }
        }
        return null;
    }

    private static MethodHandle method(Class<?> type, String name) {
        try {
            return LOOKUP.unreflect(type.getDeclaredMethod(name));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " has no " + name, e);
        }
    }

    private static MethodHandle constructor(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = components[i].getType();
        }
        try {
            return LOOKUP.findConstructor(type, MethodType.methodType(void.class, types))
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.genericMethodType(1));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " has no constructor to be called", e);
        }
    }

    @SuppressWarnings("IllegalCatch") // a method handle may throw anything
    private static Object call(MethodHandle handle, Object argument) {
        try {
            return handle.invokeExact(argument);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A field, and the component or method from which it is written. */
    private record Column(Schema.Field field, MethodHandle getter, Conversion conversion) {

        @Nullable
        Object write(Object value) {
            Object part = call(getter, value);
            return part == null ? null : conversion.toAvro().apply(part);
        }

        @Nullable
        Object read(Fields fields) {
            Object value = fields.get(field);
            if (value == null && !field.hasDefaultValue()) {
                throw new RejectedException(RejectReason.UNDECODABLE, field.name() + " is missing");
            }
            Object present = value == null ? GenericData.get().getDefaultValue(field) : value;
            return present == null ? null : conversion.fromAvro().apply(field.name(), present);
        }
    }
}
