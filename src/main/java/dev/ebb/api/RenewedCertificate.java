package dev.ebb.api;

import dev.ebb.api.ApiSecurity.TlsFiles;
import dev.ebb.api.access.BadCertificateException;
import dev.ebb.api.access.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a renewed certificate without a restart: after a connection it looks whether the files have changed, at most once a
 * second, and connections from then on get the new one. Files that do not belong together, for instance while only one of
 * them has been replaced, change nothing until they do.
 */
final class RenewedCertificate implements SslHandshakeListener {

    private static final Logger LOG = LoggerFactory.getLogger(RenewedCertificate.class);
    private static final long LOOK_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

    private final SslContextFactory.Server tls;
    private final TlsFiles files;
    private final LongSupplier nanoTime;
    private final ReentrantLock looking = new ReentrantLock();
    private byte[] known;
    private String problem = "";
    private volatile long lookedNanos;

    /**
     * @param tls has what is in the files now
     * @param nanoTime a clock that never goes back, in nanoseconds
     */
    RenewedCertificate(SslContextFactory.Server tls, TlsFiles files, LongSupplier nanoTime) {
        this.tls = tls;
        this.files = files;
        this.nanoTime = nanoTime;
        this.known = read(files);
        this.lookedNanos = nanoTime.getAsLong();
    }

    @Override
    public void handshakeSucceeded(Event event) {
        lookAgain();
    }

    /** Perhaps because the certificate has expired. */
    @Override
    public void handshakeFailed(Event event, Throwable failure) {
        lookAgain();
    }

    /** Whoever comes while somebody looks does not wait. */
    private void lookAgain() {
        if (nanoTime.getAsLong() - lookedNanos < LOOK_EVERY_NANOS || !looking.tryLock()) {
            return;
        }
        try {
            lookedNanos = nanoTime.getAsLong();
            look();
        } finally {
            looking.unlock();
        }
    }

    private void look() {
        try {
            byte[] now = read(files);
            if (!Arrays.equals(now, known)) {
                reload();
                known = now;
                LOG.atInfo().addKeyValue("file", files.certificate()).log("the certificate has changed and was read");
            }
            problem = "";
        } catch (BadCertificateException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void reload() {
        var identity = Pem.identity(files.certificate(), files.key());
        try {
            tls.reload(factory -> factory.setKeyStore(identity));
        } catch (Exception e) {
            throw new BadCertificateException("the certificate in " + files.certificate() + " cannot be used", e);
        }
    }

    private void complain(String now) {
        if (!now.equals(problem)) {
            problem = now;
            LOG.error("{}; the certificate that was read before stays in force", now);
        }
    }

    private static byte[] read(TlsFiles files) {
        try {
            byte[] certificate = Files.readAllBytes(files.certificate());
            byte[] key = Files.readAllBytes(files.key());
            byte[] both = Arrays.copyOf(certificate, certificate.length + key.length);
            System.arraycopy(key, 0, both, certificate.length, key.length);
            return both;
        } catch (IOException e) {
            throw new BadCertificateException("the files of the certificate cannot be read: " + e.getMessage(), e);
        }
    }
}
