package dev.ebb.api.door;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Address of the server, and limits on requests.
 *
 * @param host the address to listen on
 * @param port the port; 0 takes a free one
 * @param maxBodyBytes the biggest body of a request
 * @param policyWait the longest wait for a change of policies to come into force before the answer
 * @param health the additional address for probes, see {@code HealthServer}; null for none
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

    /** Makes settings without an address for probes alone. */
    public ApiSettings(String host, int port, int maxBodyBytes, Duration policyWait) {
        this(host, port, maxBodyBytes, policyWait, null);
    }

    /** Returns settings of this address with bodies of up to 8 MiB and a wait of 15 s for changes of policies. */
    public static ApiSettings at(String host, int port) {
        return new ApiSettings(host, port, DEFAULT_MAX_BODY_BYTES, DEFAULT_POLICY_WAIT);
    }

    /** Returns these settings with another limit on bodies. */
    public ApiSettings withMaxBodyBytes(int bytes) {
        return new ApiSettings(host, port, bytes, policyWait, health);
    }

    /** Returns these settings with an address for probes alone; port 0 takes a free one. */
    public ApiSettings withHealth(String ownHost, int ownPort) {
        return new ApiSettings(
                host, port, maxBodyBytes, policyWait, InetSocketAddress.createUnresolved(ownHost, ownPort));
    }
}
