package dev.ebb.api.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the access rights of the file of a private key. A key that every user may write is refused, like a file of
 * tokens: a user who can write it chooses the identity of Ebb. A key that every user may read is used, with a warning:
 * in a container this may be necessary, with the folder around the key closed on the host. Stateless.
 */
final class KeyFileMode {

    private static final Logger LOG = LoggerFactory.getLogger(KeyFileMode.class);

    private KeyFileMode() {}

    /**
     * Throws {@link BadCertificateException} if every user may write the key; does nothing where the file system has no
     * file modes.
     */
    static void check(Path file) throws IOException {
        if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return;
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
        if (mode.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new BadCertificateException("all users of this machine may write the file of the key " + file
                    + "; run 'chmod o-rwx " + file + "'");
        }
        if (mode.contains(PosixFilePermission.OTHERS_READ)) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("remedy", "chmod o-rwx " + file)
                    .log("all users of this machine may read the file of the private key");
        }
    }
}
