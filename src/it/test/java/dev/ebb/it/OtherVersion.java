package dev.ebb.it;

import dev.ebb.store.layout.StateFormat;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The jars of the application and of its engine once more, as a release would make it that is not there yet: another version, another format. */
final class OtherVersion {

    private static final String ENGINE = "ebb-engine-";
    private static final String FORMAT_CLASS = "dev/ebb/store/layout/StateFormat";
    private static final String NUMBER = "private static final int NUMBER = ";

    private final Path original;
    private final String version;

    /** @param original the jar that the build made */
    OtherVersion(Path original, String version) {
        this.original = original;
        this.version = version;
    }

    /** One that differs by its name alone. */
    Path jar(Path folder) throws IOException {
        return write(folder, new byte[0]);
    }

    /** One that writes state in the next format, and still reads this one. */
    Path jarOfNextFormat(Path folder) throws IOException {
        return write(folder, nextFormat(folder));
    }

    /** The jar of the engine knows the version too: it stands in each state. */
    private Path write(Path folder, byte[] format) throws IOException {
        Path engine = folder.resolve(ENGINE + version + ".jar");
        copy(engine(), engine, format, Map.of());
        Path target = folder.resolve("ebb-" + version + ".jar");
        copy(original, target, new byte[0], Map.of(engine().getFileName().toString(), engine));
        return target;
    }

    private Path engine() throws IOException {
        try (Stream<Path> files = Files.list(original.getParent())) {
            return files.filter(file -> file.getFileName().toString().startsWith(ENGINE))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private void copy(Path from, Path target, byte[] format, Map<String, Path> replaced) throws IOException {
        try (JarFile jar = new JarFile(from.toFile());
                OutputStream file = Files.newOutputStream(target);
                JarOutputStream out = new JarOutputStream(file, manifest(jar.getManifest(), replaced))) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
                    boolean isReplaced = format.length > 0 && entry.getName().equals(FORMAT_CLASS + ".class");
                    out.putNextEntry(new JarEntry(entry.getName()));
                    out.write(isReplaced ? format : jar.getInputStream(entry).readAllBytes());
                    out.closeEntry();
                }
            }
        }
    }

    /** The libraries stay where they are, but for replaced ones. */
    private Manifest manifest(Manifest of, Map<String, Path> replaced) {
        Manifest manifest = new Manifest(of);
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        String libraries = main.getValue(Attributes.Name.CLASS_PATH);
        if (libraries != null) {
            String paths = Arrays.stream(libraries.split(" ", -1))
                    .map(library -> replaced.getOrDefault(library, original.resolveSibling(library)))
                    .map(library -> library.toUri().toString())
                    .collect(Collectors.joining(" "));
            main.put(Attributes.Name.CLASS_PATH, paths);
        }
        return manifest;
    }

    private byte[] nextFormat(Path folder) throws IOException {
        String source = Files.readString(Path.of("src/engine/main/java", FORMAT_CLASS + ".java"));
        int number = StateFormat.current().number();
        String present = NUMBER + number + ";";
        if (!source.contains(present)) {
            throw new AssertionError("not in " + FORMAT_CLASS + ": " + present);
        }
        Path changed = Files.createDirectories(
                        folder.resolve("source").resolve(FORMAT_CLASS).getParent())
                .resolve("StateFormat.java");
        Files.writeString(changed, source.replace(present, NUMBER + (number + 1) + ";"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int result = compiler.run(
                null,
                null,
                null,
                "-proc:none",
                "-nowarn",
                "-d",
                folder.toString(),
                "-cp",
                libraries(),
                changed.toString());
        if (result != 0) {
            throw new AssertionError("the other version does not compile");
        }
        return Files.readAllBytes(folder.resolve(FORMAT_CLASS + ".class"));
    }

    private String libraries() throws IOException {
        try (var files = Files.list(original.getParent())) {
            List<String> jars = files.map(Path::toString)
                    .filter(name -> name.endsWith(".jar"))
                    .toList();
            return String.join(File.pathSeparator, jars);
        }
    }
}
