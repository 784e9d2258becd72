package dev.ebb.runtime.plugins;

import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceReader;
import dev.ebb.serde.source.ConverterReaders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Readers of sources with Kafka Connect's converters and transformations. Each reader is for one thread at a time. */
public final class ConnectReaders implements ConverterReaders {

    /** Longest time that a converter and its transformations may take for one record (F-3). */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final PluginPath plugins;
    private final Duration patience;
    private final List<ConnectReader> readers = new ArrayList<>();

    /** @param folders the folders of {@code sources.plugin.path} */
    public ConnectReaders(List<Path> folders) {
        this(folders, PATIENCE);
    }

    ConnectReaders(List<Path> folders, Duration patience) {
        this.plugins = new PluginPath(folders);
        this.patience = patience;
    }

    /** @throws PluginException if a class cannot be had, or does not take its options */
    @Override
    public synchronized SourceReader reader(Source source, SourceReader builtIn) {
        ConnectReader reader = new ConnectReader(source, plugins, builtIn, patience);
        readers.add(reader);
        return reader;
    }

    @Override
    public synchronized void close() {
        readers.forEach(ConnectReader::close);
        plugins.close();
    }
}
