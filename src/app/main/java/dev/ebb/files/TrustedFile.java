package dev.ebb.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.LoggerFactory;

/**
 * Checks the access rights of files that give rights: keys, passwords, tokens. One that every account may write is
 * refused, as that account would choose the identity or the secret of Ebb. One that every account may read is used, with
 * a warning: in a container this may be necessary, with the folder around it closed on the host. Does nothing where the
 * file system has no file modes. Follows symbolic links, by which containers are given such files. Thread-safe.
 */
public final class TrustedFile {

    private static final int STICKY = 01000;

    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    private TrustedFile() {}

    /**
     * Checks a file that holds a secret.
     *
     * @param kind the name of the file in messages, such as "file of the key"
     * @throws UnsafeFileException if every account may write it
     * @throws IOException if its rights cannot be read
     */
    public static void checkSecret(Path file, String kind) throws IOException {
        if (hasModes(file)) {
            requireUnwritable(file, kind, "chmod o-rwx ");
            warnOfReaders(file);
        }
    }

    /**
     * Checks a key that signs: its group may not write it either, since who replaces it signs in the name of Ebb.
     *
     * @param kind the name of the file in messages, such as "file of the key"
     * @throws UnsafeFileException if anyone but its owner may write it
     * @throws IOException if its rights cannot be read
     */
    public static void checkKey(Path file, String kind) throws IOException {
        checkSecret(file, kind);
        if (hasModes(file) && Files.getPosixFilePermissions(file).contains(PosixFilePermission.GROUP_WRITE)) {
            throw new UnsafeFileException(
                    "its group may write the " + kind + " " + file + "; run 'chmod g-w " + file + "'");
        }
    }

    /**
     * Checks a file that gives rights; does not mind who reads it.
     *
     * @param kind the name of the file in messages, such as "file of tokens"
     * @throws UnsafeFileException if every account may write it
     * @throws IOException if its rights cannot be read
     */
    public static void check(Path file, String kind) throws IOException {
        if (hasModes(file)) {
            requireUnwritable(file, kind, "chmod o-w ");
        }
    }

    /**
     * Warns of a secret that every account may read, which a command need not do at each call.
     *
     * @throws UncheckedIOException if its rights cannot be read
     */
    public static void warnOfReaders(Path file) {
        try {
            if (hasModes(file) && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                warn("all users of this machine may read a file that holds a secret", file, "chmod o-rwx " + file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void requireUnwritable(Path file, String kind, String remedy) throws IOException {
        if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new UnsafeFileException(
                    "all users of this machine may write the " + kind + " " + file + "; run '" + remedy + file + "'");
        }
        warnOfFolder(file);
    }

    /** A folder given to a container is often open, and closed on the host. */
    private static void warnOfFolder(Path file) throws IOException {
        Path folder = file.toRealPath().getParent();
        if (folder != null && mayReplaceFiles(folder)) {
            warn("all users of this machine may replace a file that gives rights", file, "chmod o-w " + folder);
        }
    }

    private static boolean mayReplaceFiles(Path folder) throws IOException {
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(folder);
        return rights.contains(PosixFilePermission.OTHERS_WRITE)
                && rights.contains(PosixFilePermission.OTHERS_EXECUTE)
                && ((int) Files.getAttribute(folder, "unix:mode") & STICKY) == 0;
    }

    /** A pipe, as a shell makes it for one reader, has no folder and no rights that matter. */
    private static boolean hasModes(Path file) {
        return Files.isRegularFile(file) && Files.getFileAttributeView(file, PosixFileAttributeView.class) != null;
    }

    /** Warns once of each file: a file of tokens is looked at each second. */
    private static void warn(String message, Path file, String remedy) {
        if (!WARNED.add(message + file)) {
            return;
        }
        // Asked for here only: a command that has nothing to warn of does without a log, which takes long to load.
        LoggerFactory.getLogger(TrustedFile.class)
                .atWarn()
                .addKeyValue("file", file)
                .addKeyValue("remedy", remedy)
                .log(message);
    }
}
