package dev.ebb.api;

import java.time.Duration;

/**
 * What the server takes from its callers before it defends itself.
 *
 * @param concurrent how many requests are answered at the same time; one caller takes half of them at most, health
 *     probes are not counted
 * @param ratePerSecond how many requests a caller may send each second, twice as many at once
 * @param connections how many connections are open at the same time
 * @param idle how long a connection may be silent while something of it is awaited
 * @param exchange how long a request may take until the last byte of its answer, the sending of both included
 * @param headerBytes the biggest request line with all headers
 */
public record ApiLimits(
        int concurrent, int ratePerSecond, int connections, Duration idle, Duration exchange, int headerBytes) {

    /** Threads of the server are 250, so that some are always left for probes. */
    public static final int MAX_CONCURRENT = 200;

    /** 128 requests, 500 each second, 1000 connections, 30 s of silence, 2 minutes in all, 16 KiB of headers. */
    public static final ApiLimits DEFAULT =
            new ApiLimits(128, 500, 1000, Duration.ofSeconds(30), Duration.ofMinutes(2), 16 << 10);

    public ApiLimits {
        if (concurrent < 1 || concurrent > MAX_CONCURRENT || ratePerSecond < 1 || connections < 1) {
            throw new IllegalArgumentException("limits must be positive, and at most " + MAX_CONCURRENT + " requests");
        }
    }

    /** The default, but for what the settings say. */
    public static ApiLimits of(int concurrent, int ratePerSecond) {
        return new ApiLimits(
                concurrent, ratePerSecond, DEFAULT.connections, DEFAULT.idle, DEFAULT.exchange, DEFAULT.headerBytes);
    }

    /** How many requests of one caller are answered at the same time. */
    int concurrentOfOne() {
        return Math.max(1, concurrent / 2);
    }
}
