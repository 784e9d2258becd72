package dev.ebb.api.peers;

import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Settings for questions to other instances.
 *
 * @param secret the secret that all instances and no other callers know; empty if none is set: then only instances on
 *     this machine ask each other, over the loopback address
 * @param tls TLS for questions over HTTPS; null: questions go over HTTP
 * @param connect the longest time for a connection
 * @param answer the longest time for an answer where the question allows no more
 */
public record PeerSettings(String secret, @Nullable SSLContext tls, Duration connect, Duration answer) {

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** Returns settings with 2 s for a connection and 5 s for an answer. */
    public static PeerSettings of(String secret, @Nullable SSLContext tls) {
        return new PeerSettings(secret, tls, CONNECT, ANSWER);
    }

    String scheme() {
        return tls == null ? "http" : "https";
    }

    /** Leaves out the secret. */
    @Override
    public String toString() {
        return "PeerSettings[" + (secret.isEmpty() ? "no secret" : "a secret") + ", " + scheme() + ']';
    }
}
