package dev.ebb.serde.source;

import dev.ebb.domain.Unicode;
import dev.ebb.domain.source.FormatChoice;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceContent;
import dev.ebb.domain.source.SourcePath;
import dev.ebb.domain.source.SourceReader;
import dev.ebb.domain.source.SourceRecord;
import dev.ebb.domain.source.UnreadablePartException;
import dev.ebb.serde.schemas.AnyAvro;
import dev.ebb.serde.schemas.SchemaRegistry;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * The formats of sources (F-3). Opens the registry and the plugins when the first source needs them. Not thread-safe; the
 * readers that it makes are, except that one with a converter is for one thread at a time.
 */
public final class SourceFormats implements AutoCloseable {

    private final Supplier<SchemaRegistry> registry;
    private final Supplier<ConverterReaders> plugins;
    private @Nullable AnyAvro avro;
    private @Nullable ConverterReaders converters;

    /**
     * @param registry opens the schema registry; called once at most, and only for a source with Avro
     * @param plugins opens the plugins; called once at most, and only for a source with a converter
     */
    public SourceFormats(Supplier<SchemaRegistry> registry, Supplier<ConverterReaders> plugins) {
        this.registry = registry;
        this.plugins = plugins;
    }

    /**
     * Returns a reader of the records of a source.
     *
     * @throws RuntimeException if a class of a converter cannot be had; the message names the fix
     */
    public SourceReader reader(Source source) {
        SourceFormat key = format(source.key());
        SourceFormat value = format(source.value());
        SourceReader builtIn = record -> new Content(record, key, value);
        return isConverted(source.key()) || isConverted(source.value())
                ? converters().reader(source, builtIn)
                : builtIn;
    }

    private static boolean isConverted(FormatChoice choice) {
        return choice.kind() == FormatChoice.Kind.CONVERTER;
    }

    private ConverterReaders converters() {
        ConverterReaders known = converters == null ? plugins.get() : converters;
        converters = known;
        return known;
    }

    private SourceFormat format(FormatChoice choice) {
        return switch (choice.kind()) {
            case JSON -> new JsonFormat();
            case AVRO -> new AvroFormat(avro());
            case TEXT -> SourceFormats::text;
            case BYTES, CONVERTER -> bytes -> bytes;
        };
    }

    private AnyAvro avro() {
        if (avro == null) {
            avro = new AnyAvro(registry.get());
        }
        return avro;
    }

    private static Object text(byte[] bytes) {
        return Unicode.decode(bytes, 0, bytes.length)
                .orElseThrow(() -> new SerializationException("is not a text in UTF-8"));
    }

    @Override
    public void close() {
        if (avro != null) {
            avro.close();
        }
        if (converters != null) {
            converters.close();
        }
    }

    /** A record whose parts are read once at most. */
    private static final class Content implements SourceContent {

        private final SourceRecord record;
        private final Part key;
        private final Part value;

        Content(SourceRecord record, SourceFormat key, SourceFormat value) {
            this.record = record;
            this.key = new Part(SourcePath.Root.KEY, key, record.key());
            this.value = new Part(SourcePath.Root.VALUE, value, record.value());
        }

        @Override
        public SourceRecord record() {
            return record;
        }

        @Override
        public @Nullable Object key() {
            return key.read();
        }

        @Override
        public @Nullable Object value() {
            return value.read();
        }
    }

    /** The key or the value of a record. */
    private static final class Part {

        private final SourcePath.Root root;
        private final SourceFormat format;
        private final byte @Nullable [] bytes;
        private boolean isRead;
        private @Nullable Object content;

        Part(SourcePath.Root root, SourceFormat format, byte @Nullable [] bytes) {
            this.root = root;
            this.format = format;
            this.bytes = bytes;
        }

        @Nullable
        Object read() {
            if (!isRead && bytes != null) {
                try {
                    content = format.read(bytes);
                } catch (SerializationException e) {
                    throw new UnreadablePartException(root, String.valueOf(e.getMessage()), e);
                }
            }
            isRead = true;
            return content;
        }
    }
}
