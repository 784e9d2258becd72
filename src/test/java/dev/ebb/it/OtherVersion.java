package dev.ebb.it;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The application's jar once more, as a release would make it that is not there yet: another version, another format. */
final class OtherVersion {

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
        return write(folder.resolve("ebb-" + version + ".jar"), new byte[0]);
    }

    /** One that writes state in the next format, and still reads this one. */
    Path jarOfNextFormat(Path folder) throws IOException {
        return write(folder.resolve("ebb-" + version + ".jar"), nextFormat(folder));
    }

    private Path write(Path target, byte[] format) throws IOException {
        try (JarFile jar = new JarFile(original.toFile());
                OutputStream file = Files.newOutputStream(target);
                JarOutputStream out = new JarOutputStream(file, manifest(jar.getManifest()))) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
                    boolean isReplaced = format.length > 0 && entry.getName().equals(FORMAT_CLASS + ".class");
                    out.putNextEntry(new JarEntry(entry.getName()));
                    out.write(isReplaced ? format : jar.getInputStream(entry).readAllBytes());
                    out.closeEntry();
                }
            }
        }
        return target;
    }

    /** The libraries stay where they are. */
    private Manifest manifest(Manifest of) {
        Manifest manifest = new Manifest(of);
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        main.put(
                Attributes.Name.CLASS_PATH,
                Arrays.stream(main.getValue(Attributes.Name.CLASS_PATH).split(" ", -1))
                        .map(library -> original.resolveSibling(library).toUri().toString())
                        .collect(Collectors.joining(" ")));
        return manifest;
    }

    private byte[] nextFormat(Path folder) throws IOException {
        String source = Files.readString(Path.of("src/main/java", FORMAT_CLASS + ".java"));
        if (!source.contains(NUMBER + "3;")) {
            throw new AssertionError("not in " + FORMAT_CLASS + ": " + NUMBER + "3;");
        }
        Path changed = Files.createDirectories(
                        folder.resolve("source").resolve(FORMAT_CLASS).getParent())
                .resolve("StateFormat.java");
        Files.writeString(changed, source.replace(NUMBER + "3;", NUMBER + "4;"));
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
