package dev.ebb.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Classes that are wrong on purpose, to stand before those of the build on the class path of a process. */
public final class BrokenBuild {

    private BrokenBuild() {}

    /**
     * Compiles a class with one expression replaced, which must be there exactly once.
     *
     * @param folder where the classes go
     * @param className without {@code dev.ebb.}
     */
    public static void write(Path folder, String className, String expression, String replacement) {
        try {
            new MutatedClassLoader()
                    .replace("dev.ebb." + className, expression, replacement)
                    .write(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
