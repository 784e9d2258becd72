package dev.ebb.bench.load;

import dev.ebb.config.Settings;
import java.util.Map;

/**
 * One point of a series: the events, and the distribution of the work.
 *
 * @param name the name in tables
 * @param events number of events, as a divisor of that of the series: 1 means all, 10 a tenth
 * @param streams number of streams
 * @param mix properties of the events
 * @param partitions number of partitions of the topics
 * @param threads number of threads of each instance
 * @param instances number of instances on this machine
 */
public record Shape(String name, int events, int streams, Mix mix, int partitions, int threads, int instances) {

    private static final int STREAMS = 1000;
    private static final int PARTITIONS = 4;
    private static final int THREADS = 2;

    /** Returns a shape with the usual streams and events. */
    public static Shape spread(String name, int partitions, int threads, int instances) {
        return new Shape(name, 1, STREAMS, Mix.USUAL, partitions, threads, instances);
    }

    /** Returns a shape of one instance with the defaults. */
    public static Shape of(String name, int part, int streams, Mix mix) {
        return new Shape(name, part, streams, mix, PARTITIONS, THREADS, 1);
    }

    public Workload workload(long seed, int eventsOfSeries, long nowMs) {
        return new Workload(seed, Math.max(1, eventsOfSeries / events), streams, partitions, nowMs, mix);
    }

    public Map<String, String> settings() {
        return Map.of(Settings.STREAM_THREADS.key(), Integer.toString(threads));
    }

    /** Returns the name as a part of the name of a topic or file. */
    public String slug() {
        return name.replaceAll("[^A-Za-z0-9]+", "-");
    }
}
