package dev.ebb.runtime.plugins;

import dev.ebb.domain.source.FormatChoice;
import dev.ebb.domain.source.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.transforms.Transformation;
import org.jspecify.annotations.Nullable;

/**
 * The converters and transformations of one source, as Kafka Connect would run them. The record between them is that of
 * Connect's sources: Debezium's EventRouter makes records without a partition, which those of its sinks cannot be. Not
 * thread-safe.
 */
final class ConnectChain {

    private final @Nullable Converter key;
    private final @Nullable Converter value;
    private final List<Transformation<SourceRecord>> transforms = new ArrayList<>();

    /** The class that runs or ran last; read by another thread if it hangs. */
    private volatile String running = "";

    /** @throws PluginException if a class cannot be had, or does not take its options */
    ConnectChain(Source source, PluginPath plugins) {
        this.key = converter(source.key(), plugins, true);
        this.value = converter(source.value(), plugins, false);
        source.value().transforms().forEach(transform -> transforms.add(transform(transform, plugins)));
    }

    private static @Nullable Converter converter(FormatChoice choice, PluginPath plugins, boolean isKey) {
        if (choice.kind() != FormatChoice.Kind.CONVERTER) {
            return null;
        }
        Converter converter = plugins.create(choice.className(), Converter.class);
        configure(choice.className(), converter, () -> {
            Map<String, Object> options = new HashMap<>(choice.options());
            options.put("converter.type", isKey ? "key" : "value");
            converter.configure(options, isKey);
        });
        return converter;
    }

    @SuppressWarnings("unchecked") // every transformation takes any record
    private static Transformation<SourceRecord> transform(FormatChoice.Transform choice, PluginPath plugins) {
        Transformation<SourceRecord> transform = plugins.create(choice.className(), Transformation.class);
        configure(choice.className(), transform, () -> transform.configure(choice.options()));
        return transform;
    }

    private static void configure(String className, Object plugin, Runnable configuration) {
        try {
            within(plugin, configuration);
        } catch (RuntimeException | LinkageError e) {
            throw new PluginException(className + " does not take its options: " + e.getMessage(), e);
        }
    }

    /** Runs code with the class loader of a plugin, by which its libraries find their own classes. */
    private static void within(Object plugin, Runnable code) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(plugin.getClass().getClassLoader());
        try {
            code.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    boolean hasTransforms() {
        return !transforms.isEmpty();
    }

    boolean convertsKeys() {
        return key != null;
    }

    /** Returns the key alone; null if there is none. */
    @Nullable
    Object key(dev.ebb.domain.source.SourceRecord record) {
        SchemaAndValue converted = convert(key, record.key(), record);
        return ConnectValues.plain(converted.schema(), converted.value());
    }

    /** Returns the record after all transformations; null if one took it out. */
    @Nullable
    SourceRecord run(dev.ebb.domain.source.SourceRecord record) {
        SchemaAndValue convertedKey = convert(key, record.key(), record);
        SchemaAndValue convertedValue = convert(value, record.value(), record);
        ConnectHeaders headers = new ConnectHeaders();
        record.headers().forEach(header -> headers.add(header.name(), header.value(), Schema.OPTIONAL_BYTES_SCHEMA));
        SourceRecord result = new SourceRecord(
                Map.of(),
                Map.of(),
                record.topic(),
                record.partition(),
                convertedKey.schema(),
                convertedKey.value(),
                convertedValue.schema(),
                convertedValue.value(),
                record.timestampMs() < 0 ? null : (Long) record.timestampMs(),
                headers);
        for (Transformation<SourceRecord> transform : transforms) {
            SourceRecord before = result;
            result = before == null ? null : apply(transform, before);
        }
        return result;
    }

    private @Nullable SourceRecord apply(Transformation<SourceRecord> transform, SourceRecord record) {
        enter(transform);
        return transform.apply(record);
    }

    /** The libraries of a plugin find their own classes by the class loader of the thread. */
    private void enter(Object plugin) {
        running = plugin.getClass().getName();
        Thread.currentThread().setContextClassLoader(plugin.getClass().getClassLoader());
    }

    /** Returns the name of the class that runs or ran last. */
    String running() {
        return running;
    }

    private SchemaAndValue convert(
            @Nullable Converter converter, byte @Nullable [] bytes, dev.ebb.domain.source.SourceRecord record) {
        if (converter == null || bytes == null) {
            return new SchemaAndValue(bytes == null ? null : Schema.BYTES_SCHEMA, bytes);
        }
        enter(converter);
        RecordHeaders headers = new RecordHeaders();
        record.headers().forEach(header -> headers.add(new RecordHeader(header.name(), header.value())));
        return converter.toConnectData(record.topic(), headers, bytes);
    }

    void close() {
        transforms.forEach(Transformation::close);
    }
}
