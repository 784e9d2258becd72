package dev.ebb.api.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may touch the file of a private key. One that everybody may write is refused, as a file of tokens is: whoever writes
 * it chooses what Ebb proves itself with. One that everybody may read is used, with a warning: in a container it may have
 * to be, where the folder around it is closed on the machine. Stateless.
 */
final class KeyFileMode {

    private static final Logger LOG = LoggerFactory.getLogger(KeyFileMode.class);

    private KeyFileMode() {}

    /** Throws {@link BadCertificateException} if the key is anybody's; nothing is known where there are no modes. */
    static void check(Path file) throws IOException {
        if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return;
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
        if (mode.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new BadCertificateException("everybody on this machine may write the file of the key " + file
                    + "; run 'chmod o-rwx " + file + "'");
        }
        if (mode.contains(PosixFilePermission.OTHERS_READ)) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("remedy", "chmod o-rwx " + file)
                    .log("everybody on this machine may read the file of the private key");
        }
    }
}
