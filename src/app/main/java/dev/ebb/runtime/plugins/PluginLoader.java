package dev.ebb.runtime.plugins;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of one plugin from its own jars first, as Kafka Connect does, so that its libraries may have other
 * versions than those of Ebb. What both sides speak through comes from Ebb: the JDK, the logging API, Kafka's clients and
 * Connect's API. Thread-safe.
 */
final class PluginLoader extends URLClassLoader {

    static {
        registerAsParallelCapable();
    }

    private static final Pattern SHARED = Pattern.compile(
            "(java|jdk|sun|javax\\.(?!annotation|inject|ws|xml\\.bind)[a-z]+|org\\.slf4j|org\\.w3c|org\\.xml)"
                    + "\\..*|org\\.apache\\.kafka\\.(common|clients)\\..*"
                    + "|org\\.apache\\.kafka\\.connect\\.(components|connector|data|errors|header|storage|util)\\..*"
                    + "|org\\.apache\\.kafka\\.connect\\.(sink|source|rest|health)\\..*"
                    + "|org\\.apache\\.kafka\\.connect\\.transforms\\.(Transformation|predicates\\.Predicate)");

    private final String name;

    PluginLoader(String name, URL[] jars, ClassLoader parent) {
        super(jars, parent);
        this.name = name;
    }

    @Override
    protected Class<?> loadClass(String className, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(className)) {
            @Nullable Class<?> loaded = findLoadedClass(className);
            if (loaded == null && !SHARED.matcher(className).matches()) {
                loaded = findOwn(className);
            }
            return loaded == null ? super.loadClass(className, resolve) : loaded;
        }
    }

    private @Nullable Class<?> findOwn(String className) {
        try {
            return findClass(className);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /** Returns true if the plugin itself has the class. */
    boolean has(String className) {
        return findResource(className.replace('.', '/') + ".class") != null;
    }

    /** Returns the resources of the plugin first: its libraries find their services by them. */
    @Override
    public @Nullable URL getResource(String resource) {
        URL own = findResource(resource);
        return own == null ? super.getResource(resource) : own;
    }

    @Override
    public String toString() {
        return name;
    }
}
