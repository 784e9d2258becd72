package dev.ebb.api;

import java.time.Duration;

/**
 * How an instance asks others.
 *
 * @param secret what all instances know and nobody else; empty if none is set: then only instances on this machine ask
 *     each other, over the loopback address
 * @param scheme {@code http} or {@code https}
 * @param connect how long a connection may take
 * @param answer how long an answer may take where the question does not allow for more
 */
public record PeerSettings(String secret, String scheme, Duration connect, Duration answer) {

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** Over HTTP; a connection may take 2 s and an answer 5 s. */
    public static PeerSettings of(String secret) {
        return new PeerSettings(secret, "http", CONNECT, ANSWER);
    }

    /** Never the secret. */
    @Override
    public String toString() {
        return "PeerSettings[" + (secret.isEmpty() ? "no secret" : "a secret") + ", " + scheme + ']';
    }
}
