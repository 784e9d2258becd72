package dev.ebb.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Files and folders below a state folder. */
final class Folders {

    private Folders() {}

    /** Deletes a folder with all that is in it; does nothing if it is not there. */
    static void delete(Path folder) {
        for (Path path : all(folder, Comparator.reverseOrder())) {
            try {
                Files.delete(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Copies a folder with all that is in it, and the times of its files. */
    static void copy(Path from, Path to) throws IOException {
        for (Path path : all(from, Comparator.naturalOrder())) {
            Path target = to.resolve(from.relativize(path).toString());
            Files.createDirectories(target.getParent());
            Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    /** Files anywhere below a folder whose name begins like this and ends like this. */
    static List<Path> find(Path folder, String prefix, String suffix) {
        return all(folder, Comparator.naturalOrder()).stream()
                .filter(Files::isRegularFile)
                .filter(path -> path.getFileName().toString().startsWith(prefix)
                        && path.getFileName().toString().endsWith(suffix))
                .toList();
    }

    private static List<Path> all(Path folder, Comparator<Path> order) {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.sorted(order).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
