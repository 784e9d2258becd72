package dev.ebb.runtime.plugins;

import dev.ebb.domain.event.Wait;
import dev.ebb.domain.source.FormatChoice;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceContent;
import dev.ebb.domain.source.SourcePath;
import dev.ebb.domain.source.SourceReader;
import dev.ebb.domain.source.SourceRecord;
import dev.ebb.domain.source.UnreadablePartException;
import dev.ebb.runtime.plugins.BoundedWorker.HungException;
import dev.ebb.serde.schemas.ReadFailure;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.header.Header;
import org.jspecify.annotations.Nullable;

/** Reads the records of one source with its converters and transformations, each for 10 s at most. For one thread. */
final class ConnectReader implements SourceReader, AutoCloseable {

    private final Source source;
    private final PluginPath plugins;
    private final SourceReader builtIn;
    private final BoundedWorker worker;
    private ConnectChain chain;

    /** The class that hung last; empty if none has. */
    private String hung = "";

    ConnectReader(Source source, PluginPath plugins, SourceReader builtIn, Duration patience) {
        this.source = source;
        this.plugins = plugins;
        this.builtIn = builtIn;
        this.chain = new ConnectChain(source, plugins);
        this.worker = new BoundedWorker(source.name(), patience);
    }

    @Override
    public SourceContent read(SourceRecord record) {
        return new Content(builtIn.read(record));
    }

    @Override
    public void close() {
        worker.close();
        chain.close();
    }

    private <T> @Nullable T call(SourcePath.Root part, Function<ConnectChain, @Nullable T> code) {
        ConnectChain used = chain;
        try {
            return worker.call(() -> code.apply(used));
        } catch (HungException e) {
            hung = used.running().isEmpty() ? hung : used.running();
            // The thread that was left behind still uses the chain.
            chain = new ConnectChain(source, plugins);
            throw new UnreadablePartException(part, "cannot be read: " + hung + " " + e.getMessage(), e);
        } catch (ExecutionException e) {
            throw failure(part, used.running(), e.getCause() == null ? e : e.getCause());
        }
    }

    /** Messages of other vendors' exceptions quote values, so their classes alone are named. */
    private static RuntimeException failure(SourcePath.Root part, String className, Throwable cause) {
        if (cause instanceof VirtualMachineError fatal && !(cause instanceof StackOverflowError)) {
            throw fatal;
        }
        Wait wait = ReadFailure.waitsFor(cause);
        if (wait != null) {
            return new RegistryUnavailableException(wait);
        }
        StringBuilder classes = new StringBuilder();
        for (@Nullable Throwable one = cause; one != null; one = one.getCause()) {
            classes.append(classes.isEmpty() ? "" : " by ")
                    .append(one.getClass().getSimpleName());
        }
        return new UnreadablePartException(part, "cannot be read by " + className + ": " + classes, cause);
    }

    /** A record that is converted when it is first needed. */
    private final class Content implements SourceContent {

        private final SourceContent plain;
        private boolean isConverted;
        private @Nullable ConnectRecord<?> converted;

        Content(SourceContent plain) {
            this.plain = plain;
        }

        private @Nullable ConnectRecord<?> converted() {
            if (!isConverted) {
                converted = call(SourcePath.Root.VALUE, used -> used.run(record()));
                isConverted = true;
            }
            return converted;
        }

        @Override
        public SourceRecord record() {
            return plain.record();
        }

        @Override
        public @Nullable Object key() {
            if (!chain.hasTransforms() || isTombstone()) {
                return chain.convertsKeys() ? call(SourcePath.Root.KEY, used -> used.key(record())) : plain.key();
            }
            ConnectRecord<?> result = converted();
            return result == null || result.key() == record().key()
                    ? plain.key()
                    : ConnectValues.plain(result.keySchema(), result.key());
        }

        @Override
        public @Nullable Object value() {
            if (isTombstone() || !needsConversion()) {
                return plain.value();
            }
            ConnectRecord<?> result = converted();
            return result == null ? null : ConnectValues.plain(result.valueSchema(), result.value());
        }

        @Override
        public @Nullable Object header(String name) {
            ConnectRecord<?> result = chain.hasTransforms() && !isTombstone() ? converted() : null;
            Header header = result == null ? null : result.headers().lastWithName(name);
            return header == null || header.value() instanceof byte[]
                    ? plain.header(name)
                    : ConnectValues.plain(header.schema(), header.value());
        }

        @Override
        public boolean isGone() {
            if (isTombstone() || !chain.hasTransforms()) {
                return isTombstone();
            }
            ConnectRecord<?> result = converted();
            return result != null && result.value() == null;
        }

        @Override
        public boolean isDropped() {
            return chain.hasTransforms() && !isTombstone() && converted() == null;
        }

        private boolean needsConversion() {
            return chain.hasTransforms() || source.value().kind() == FormatChoice.Kind.CONVERTER;
        }

        /** A record without a value needs no converter: there is nothing to convert. */
        private boolean isTombstone() {
            return record().value() == null;
        }
    }
}
