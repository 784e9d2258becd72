package dev.ebb.api.connection;

import java.time.Duration;

/**
 * Limits on requests and connections of callers.
 *
 * @param concurrent most requests that are answered at the same time; a single caller may have half of them, and health
 *     probes do not count
 * @param ratePerSecond most requests that a caller may send each second; up to twice as many in a burst
 * @param connections limits on the number and the times of connections
 * @param headerBytes the biggest request line with all headers, in bytes
 */
public record ApiLimits(int concurrent, int ratePerSecond, Connections connections, int headerBytes) {

    /**
     * Most requests that may be answered at the same time. The server has 250 threads, so that some are always left for
     * refusals.
     */
    public static final int MAX_CONCURRENT = 200;

    /** Most connections of all callers together that may be open at the same time. */
    public static final int MAX_CONNECTIONS = 1000;

    private static final int HEADER_BYTES = 16 << 10;

    /** 128 requests, 500 each second, 16 KiB of headers, and the default connections. */
    public static final ApiLimits DEFAULT = new ApiLimits(128, 500, Connections.DEFAULT, HEADER_BYTES);

    /** Limits of a server that answers probes alone: few small requests, each answered at once. */
    public static final ApiLimits OF_PROBES = new ApiLimits(
            8,
            500,
            new Connections(
                    100,
                    50,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5)),
            4 << 10);

    public ApiLimits {
        if (concurrent < 1 || concurrent > MAX_CONCURRENT || ratePerSecond < 1) {
            throw new IllegalArgumentException("limits must be positive, and at most " + MAX_CONCURRENT + " requests");
        }
    }

    /** Returns the default limits with these values of the settings. */
    public static ApiLimits of(int concurrent, int ratePerSecond, int connectionsOfOne) {
        return new ApiLimits(concurrent, ratePerSecond, Connections.DEFAULT.ofOne(connectionsOfOne), HEADER_BYTES);
    }

    /** Returns the most requests of one caller that are answered at the same time. */
    public int concurrentOfOne() {
        return Math.max(1, concurrent / 2);
    }

    /**
     * Limits on connections. When one of the times is over, the connection is closed, whatever is being sent or read;
     * this bounds slowness of any kind.
     *
     * @param all most connections that are open at the same time
     * @param ofOne most connections of one address that are open at the same time
     * @param headers longest time until a request has arrived with all its headers, and until a refusal has been read
     * @param idle longest silence of a connection
     * @param body longest time for the body of a request
     * @param exchange longest time from the admission of a request to the last byte of its answer
     */
    public record Connections(int all, int ofOne, Duration headers, Duration idle, Duration body, Duration exchange) {

        /** 1000 connections, 200 of one address; 10 s, 30 s, 60 s and 2 minutes. */
        public static final Connections DEFAULT = new Connections(
                MAX_CONNECTIONS,
                200,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                Duration.ofMinutes(2));

        public Connections {
            if (all < 1 || ofOne < 1) {
                throw new IllegalArgumentException("limits of connections must be positive");
            }
        }

        /** Returns these limits with another number of connections of one address. */
        Connections ofOne(int connections) {
            return new Connections(all, connections, headers, idle, body, exchange);
        }
    }
}
