package dev.ebb.api;

import dev.ebb.api.access.FollowedFile;
import dev.ebb.api.access.Pem;
import dev.ebb.api.access.UnusableFileException;
import dev.ebb.api.door.ApiSecurity.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a renewed certificate into use without a restart. After a handshake, and at most once a second, it checks
 * whether the files have changed; later connections get the new certificate. Files that do not belong together, for
 * instance while only one of them is replaced, change nothing until they do.
 */
final class RenewedCertificate implements SslHandshakeListener {

    private static final Logger LOG = LoggerFactory.getLogger(RenewedCertificate.class);

    private final SslContextFactory.Server tls;
    private final TlsFiles files;
    private final FollowedFile followed;

    /**
     * @param tls TLS settings with the present content of the files
     * @param nanoTime a clock that never goes back, in nanoseconds
     */
    RenewedCertificate(SslContextFactory.Server tls, TlsFiles files, LongSupplier nanoTime) {
        this.tls = tls;
        this.files = files;
        this.followed = new FollowedFile("certificate", () -> read(files), ignored -> reload(), nanoTime, read(files));
    }

    @Override
    public void handshakeSucceeded(Event event) {
        followed.lookAgain();
    }

    /** Looks at the files too: the handshake may have failed because the certificate has expired. */
    @Override
    public void handshakeFailed(Event event, Throwable failure) {
        followed.lookAgain();
    }

    private void reload() {
        var identity = Pem.identity(files.certificate(), files.key());
        try {
            tls.reload(factory -> factory.setKeyStore(identity));
        } catch (Exception e) {
            throw new UnusableFileException("the certificate in " + files.certificate() + " cannot be used", e);
        }
        LOG.atInfo().addKeyValue("file", files.certificate()).log("the certificate has changed and was read");
    }

    private static byte[] read(TlsFiles files) {
        try {
            byte[] certificate = Files.readAllBytes(files.certificate());
            byte[] key = Files.readAllBytes(files.key());
            byte[] both = Arrays.copyOf(certificate, certificate.length + key.length);
            System.arraycopy(key, 0, both, certificate.length, key.length);
            return both;
        } catch (IOException e) {
            throw new UnusableFileException("the files of the certificate cannot be read: " + e.getMessage(), e);
        }
    }
}
