package dev.ebb.stacks;

import dev.ebb.files.Readers;
import dev.ebb.files.WholeFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/**
 * Files that only the user who runs the stack may read: the segments of the broker hold payloads, the settings passwords.
 * Folders get mode 0700, files 0600. Stateless.
 */
public final class PrivateFiles {
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<?> AS_FOLDER = PosixFilePermissions.asFileAttribute(FOLDER);
    private static final FileAttribute<?> AS_FILE = PosixFilePermissions.asFileAttribute(FILE);

    private PrivateFiles() {}

    /** Creates the folder and missing ones above it; closes an existing folder to other users. */
    public static Path folder(Path folder) throws IOException {
        Files.createDirectories(folder, AS_FOLDER);
        Files.setPosixFilePermissions(folder, FOLDER);
        return folder;
    }

    /** Creates an empty file; an existing one keeps its content and is closed to other users. */
    public static Path file(Path file) throws IOException {
        folder(parent(file));
        try {
            Files.createFile(file, AS_FILE);
        } catch (FileAlreadyExistsException e) {
            Files.setPosixFilePermissions(file, FILE);
        }
        return file;
    }

    /** Returns the folder of the file. */
    public static Path parent(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file, and not the root of a file system");
    }

    /** Writes the file whole or not at all; creates its folder and closes it to other users. */
    public static Path write(Path file, String content) throws IOException {
        return write(file, out -> out.write(content));
    }

    /** Writes the file whole or not at all; creates its folder and closes it to other users. */
    public static Path write(Path file, WholeFile.Content content) throws IOException {
        folder(parent(file));
        WholeFile.replace(file, Readers.OWNER, content);
        return file;
    }
}
