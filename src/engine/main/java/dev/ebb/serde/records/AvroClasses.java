package dev.ebb.serde.records;

import dev.ebb.serde.json.JsonSerializer;
import dev.ebb.serde.json.NoRegistry;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.serde.schemas.AvroStart;
import dev.ebb.serde.schemas.BackgroundSchemas;
import dev.ebb.serde.schemas.ConfluentSchemaRegistry;
import dev.ebb.serde.schemas.EbbAvroDeserializer;
import dev.ebb.serde.schemas.EbbAvroSerializer;
import dev.ebb.serde.schemas.PatientDeserializer;
import dev.ebb.serde.schemas.SchemaRegistry;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Makes the serializer and the deserializer that the settings name, Ebb's own or another vendor's; without a registry,
 * those of JSON.
 */
final class AvroClasses {

    private AvroClasses() {}

    static AvroRecords records(AvroSettings settings) {
        Deserializer<?> deserializer = deserializer(settings);
        String serializer = settings.serializerClass();
        if (serializer != null && !serializer.equals(EbbAvroSerializer.class.getName())) {
            return new AvroRecords(deserializer, foreignSerializer(serializer, settings), new AvroStart(null));
        }
        if (!settings.hasRegistry()) {
            return new AvroRecords(deserializer, new JsonSerializer(), null);
        }
        SchemaRegistry registry = ConfluentSchemaRegistry.of(settings);
        return new AvroRecords(deserializer, new EbbAvroSerializer(registry), new AvroStart(registry));
    }

    static AvroRecords records(SchemaRegistry registry, BackgroundSchemas.Patience patience) {
        return new AvroRecords(
                new EbbAvroDeserializer(new BackgroundSchemas(registry, patience)),
                new EbbAvroSerializer(registry),
                new AvroStart(registry));
    }

    private static Deserializer<?> deserializer(AvroSettings settings) {
        String deserializer = settings.deserializerClass();
        if (deserializer == null && !settings.hasRegistry()) {
            return new NoRegistry();
        }
        return deserializer == null || deserializer.equals(EbbAvroDeserializer.class.getName())
                ? new EbbAvroDeserializer(
                        new BackgroundSchemas(ConfluentSchemaRegistry.of(settings), BackgroundSchemas.Patience.DEFAULT))
                : new PatientDeserializer(
                        foreignDeserializer(deserializer, settings), BackgroundSchemas.Patience.DEFAULT);
    }

    private static Deserializer<?> foreignDeserializer(String name, AvroSettings settings) {
        Deserializer<?> result = instance(AvroSettings.DESERIALIZER_CLASS, name, Deserializer.class);
        result.configure(foreignSettings(settings), false);
        return result;
    }

    @SuppressWarnings("unchecked")
    private static Serializer<Object> foreignSerializer(String name, AvroSettings settings) {
        Serializer<Object> result = instance(AvroSettings.SERIALIZER_CLASS, name, Serializer.class);
        result.configure(foreignSettings(settings), false);
        return result;
    }

    /** Returns settings with which Confluent's classes write and read like Ebb's; other classes accept them as well. */
    private static Map<String, String> foreignSettings(AvroSettings settings) {
        Map<String, String> result = new HashMap<>();
        result.put("value.subject.name.strategy", "io.confluent.kafka.serializers.subject.RecordNameStrategy");
        result.put("specific.avro.reader", "false");
        result.putAll(ConfluentSchemaRegistry.clientSettings(settings));
        result.put(AvroSettings.URL, settings.registryUrl());
        return result;
    }

    private static <T> T instance(String setting, String className, Class<T> type) {
        try {
            Class<?> named =
                    Class.forName(className, true, Thread.currentThread().getContextClassLoader());
            return type.cast(named.getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw new IllegalArgumentException(
                    setting + ": " + className + " is no " + type.getSimpleName() + " that can be made: " + e, e);
        }
    }
}
