package dev.ebb.topology;

import dev.ebb.store.EventStore;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The project once more, with one expression of its sources replaced by another. Packages that do not know the replaced class,
 * neither directly nor by others, are those of the process: what is in them is the same, and the process has it compiled
 * to machine code already. Without a replacement all of the project is loaded once more.
 */
public final class MutatedClassLoader extends ClassLoader {

    private static final String OURS = "dev.ebb.";

    private final Map<String, byte[]> mutated = new HashMap<>();

    /** All that the class needs which is loaded first, and the packages of it that are loaded here; null until then. */
    private @Nullable ClassGraph needed;

    private Set<String> apart = Set.of();

    /** The project as it is. */
    public MutatedClassLoader() {
        super(MutatedClassLoader.class.getClassLoader());
    }

    /** Replaces an expression that must be there exactly once. */
    public MutatedClassLoader replace(String className, String expression, String replacement) {
        try {
            Path file = Path.of("src/engine/main/java", className.replace('.', '/') + ".java");
            String source = Files.readString(file);
            if (source.split(Pattern.quote(expression), -1).length != 2) {
                throw new AssertionError("not exactly once in " + file + ": " + expression);
            }
            compile(className, source.replace(expression, replacement));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes what was replaced as class files. */
    void write(Path folder) throws IOException {
        for (Map.Entry<String, byte[]> each : mutated.entrySet()) {
            Path file = folder.resolve(each.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, each.getValue());
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS) || !isApart(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private synchronized boolean isApart(String name) {
        if (mutated.isEmpty()) {
            return true;
        }
        if (needed == null) {
            needed = new ClassGraph(name, mutated::get);
            apart = needed.packagesThatKnow(mutated.keySet());
        }
        return !needed.has(name) || apart.contains(ClassGraph.packageOf(name));
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = mutated.get(name);
        if (bytes == null) {
            bytes = ClassGraph.fileOf(name).orElseThrow(() -> new ClassNotFoundException(name));
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    private void compile(String className, String source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (JavaFileManager files = new InMemory(compiler.getStandardFileManager(null, null, null))) {
            List<String> options = List.of("-proc:none", "-implicit:none", "-nowarn", "-cp", classPath());
            boolean isDone = compiler.getTask(null, files, null, options, null, List.of(new Source(className, source)))
                    .call();
            if (!isDone) {
                throw new AssertionError("the mutation of " + className + " does not compile");
            }
        }
    }

    /** Of what the mutated classes are made; the class path of the process may be but a list in a jar. */
    private static String classPath() {
        return Stream.of(EventStore.class, Bytes.class, Topology.class, Nullable.class, Logger.class)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {

        InMemory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new Output(className);
        }
    }

    private final class Output extends SimpleJavaFileObject {

        private final String className;

        Output(String className) {
            super(URI.create("memory:///" + className), Kind.CLASS);
            this.className = className;
        }

        @Override
        public OutputStream openOutputStream() {
            return new ByteArrayOutputStream() {
                @Override
                public void close() {
                    mutated.put(className, toByteArray());
                }
            };
        }
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String source;

        Source(String className, String source) {
            super(URI.create("memory:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
        }
    }
}
