package dev.ebb.runtime.plugins;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The plugins below the folders of {@code sources.plugin.path}, as Kafka Connect has them: each jar, and each folder with
 * jars, is a plugin with a class loader of its own. A class that no plugin has comes from Ebb itself, which has Connect's
 * own converters and transformations. Thread-safe.
 */
public final class PluginPath implements AutoCloseable {

    private static final int MAX_DEPTH = 4;
    private static final String FIX = "; put its jars into a folder of their own below one of sources.plugin.path";

    private final List<Path> folders;
    private final List<PluginLoader> plugins = new ArrayList<>();

    /** @param folders folders with plugins; one that is missing is an error when a class is asked for */
    public PluginPath(List<Path> folders) {
        this.folders = List.copyOf(folders);
        for (Path folder : this.folders) {
            if (Files.isDirectory(folder)) {
                list(folder).forEach(this::add);
            }
        }
    }

    private void add(Path entry) {
        List<URL> jars = new ArrayList<>();
        if (Files.isDirectory(entry)) {
            try (Stream<Path> files = Files.walk(entry, MAX_DEPTH)) {
                files.filter(PluginPath::isJar).sorted().map(PluginPath::url).forEach(jars::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        } else if (isJar(entry)) {
            jars.add(url(entry));
        }
        if (!jars.isEmpty()) {
            plugins.add(
                    new PluginLoader(entry.toString(), jars.toArray(URL[]::new), PluginPath.class.getClassLoader()));
        }
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isJar(Path file) {
        return file.toString().endsWith(".jar") && Files.isRegularFile(file);
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Makes an object of a class of a plugin.
     *
     * @param type the type that it must have, such as Connect's {@code Converter}
     * @throws PluginException if no plugin has the class, or it is no such type, or cannot be made
     */
    <T> T create(String className, Class<T> type) {
        ClassLoader loader = loaderOf(className);
        try {
            Class<?> found = Class.forName(className, true, loader);
            if (!type.isAssignableFrom(found)) {
                throw new PluginException(className + " is not a " + type.getSimpleName() + " of Kafka Connect", null);
            }
            return type.cast(found.getDeclaredConstructor().newInstance());
        } catch (ClassNotFoundException e) {
            throw new PluginException("there is no class " + className + " in " + places(), e);
        } catch (NoClassDefFoundError e) {
            String missing = String.valueOf(e.getMessage()).replace('/', '.');
            throw new PluginException(className + " needs the class " + missing + ", which is not beside it" + FIX, e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new PluginException(className + " cannot be made: " + e, e);
        }
    }

    private ClassLoader loaderOf(String className) {
        for (PluginLoader plugin : plugins) {
            if (plugin.has(className)) {
                return plugin;
            }
        }
        return PluginPath.class.getClassLoader();
    }

    private String places() {
        if (folders.isEmpty()) {
            return "Ebb, and sources.plugin.path names no folder" + FIX;
        }
        List<String> missing = folders.stream()
                .filter(folder -> !Files.isDirectory(folder))
                .map(folder -> folder + " is no folder")
                .toList();
        return "the " + plugins.size() + " plugins of sources.plugin.path ("
                + (missing.isEmpty() ? folders.toString() : String.join(", ", missing)) + ")" + FIX;
    }

    @Override
    public void close() {
        for (PluginLoader plugin : plugins) {
            try {
                plugin.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
