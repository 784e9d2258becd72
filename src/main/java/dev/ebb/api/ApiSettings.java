package dev.ebb.api;

import java.time.Duration;

/**
 * Where the server listens and what it lets in.
 *
 * @param host the address to listen on
 * @param port the port; 0 takes a free one
 * @param maxBodyBytes the biggest body of a request
 * @param policyWait how long a change of policies waits to be in force before it is answered
 */
public record ApiSettings(String host, int port, int maxBodyBytes, Duration policyWait) {

    private static final int DEFAULT_MAX_BODY_BYTES = 8 << 20;
    private static final Duration DEFAULT_POLICY_WAIT = Duration.ofSeconds(15);

    public ApiSettings {
        if (port < 0 || port > 65_535 || maxBodyBytes < 1) {
            throw new IllegalArgumentException("port must be 0 to 65535 and maxBodyBytes positive");
        }
    }

    /** The address alone; bodies of up to 8 MiB, a change of policies waits for 15 s. */
    public static ApiSettings at(String host, int port) {
        return new ApiSettings(host, port, DEFAULT_MAX_BODY_BYTES, DEFAULT_POLICY_WAIT);
    }

    /** The same with another limit for bodies. */
    public ApiSettings withMaxBodyBytes(int bytes) {
        return new ApiSettings(host, port, bytes, policyWait);
    }
}
