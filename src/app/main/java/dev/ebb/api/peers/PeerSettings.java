package dev.ebb.api.peers;

import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Settings by which an instance asks others.
 *
 * @param secret known to all instances and to no other caller; empty if none is set: then only instances on this
 *     machine ask each other, over the loopback address
 * @param tls used to ask others over HTTPS; null: they are asked over HTTP
 * @param connect longest time for a connection
 * @param answer longest time for an answer where the question does not allow for more
 */
public record PeerSettings(String secret, @Nullable SSLContext tls, Duration connect, Duration answer) {

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** A connection may take 2 s and an answer 5 s. */
    public static PeerSettings of(String secret, @Nullable SSLContext tls) {
        return new PeerSettings(secret, tls, CONNECT, ANSWER);
    }

    String scheme() {
        return tls == null ? "http" : "https";
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return "PeerSettings[" + (secret.isEmpty() ? "no secret" : "a secret") + ", " + scheme() + ']';
    }
}
