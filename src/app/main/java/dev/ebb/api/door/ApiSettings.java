package dev.ebb.api.door;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Address of the server, and limits for requests.
 *
 * @param host the address to listen on
 * @param port the port; 0 takes a free one
 * @param maxBodyBytes the biggest body of a request
 * @param policyWait longest wait for a change of policies to be in force before the answer
 * @param health where probes are answered besides, see {@code HealthServer}; null: nowhere
 */
public record ApiSettings(
        String host,
        int port,
        int maxBodyBytes,
        Duration policyWait,
        @Nullable InetSocketAddress health) {

    private static final int DEFAULT_MAX_BODY_BYTES = 8 << 20;
    private static final Duration DEFAULT_POLICY_WAIT = Duration.ofSeconds(15);

    public ApiSettings {
        if (port < 0 || port > 65_535 || maxBodyBytes < 1) {
            throw new IllegalArgumentException("port must be 0 to 65535 and maxBodyBytes positive");
        }
    }

    /** Settings without an address for probes alone. */
    public ApiSettings(String host, int port, int maxBodyBytes, Duration policyWait) {
        this(host, port, maxBodyBytes, policyWait, null);
    }

    /** The address alone; bodies of up to 8 MiB, a change of policies waits for 15 s. */
    public static ApiSettings at(String host, int port) {
        return new ApiSettings(host, port, DEFAULT_MAX_BODY_BYTES, DEFAULT_POLICY_WAIT);
    }

    /** These settings with another limit for bodies. */
    public ApiSettings withMaxBodyBytes(int bytes) {
        return new ApiSettings(host, port, bytes, policyWait, health);
    }

    /** These settings with an address for probes alone; port 0 takes a free one. */
    public ApiSettings withHealth(String ownHost, int ownPort) {
        return new ApiSettings(
                host, port, maxBodyBytes, policyWait, InetSocketAddress.createUnresolved(ownHost, ownPort));
    }
}
