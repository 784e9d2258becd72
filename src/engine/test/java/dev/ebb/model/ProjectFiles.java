package dev.ebb.model;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the project that are no resources. Found from the root of the project as well as from a module of it. */
public final class ProjectFiles {

    private ProjectFiles() {}

    /** @param name path from the root of the project */
    public static Path file(String name) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve("schemas"))) {
                return folder.resolve(name);
            }
        }
        throw new IllegalStateException("no folder above the current one is the root of the project");
    }
}
