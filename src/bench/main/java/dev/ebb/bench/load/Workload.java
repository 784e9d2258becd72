package dev.ebb.bench.load;

/**
 * Events to send; equal values make equal events, at any time and place.
 *
 * @param seed seed of the random numbers
 * @param events number of records, repeated ids included
 * @param streams number of streams
 * @param partitions number of partitions over which the streams are spread
 * @param endMs time at which the last event is sent, epoch milliseconds
 * @param mix properties of the events
 */
public record Workload(long seed, int events, int streams, int partitions, long endMs, Mix mix) {

    public Workload(long seed, int events, int streams, int partitions, long endMs) {
        this(seed, events, streams, partitions, endMs, Mix.USUAL);
    }

    public Workload {
        if (events < 1 || streams < 1 || partitions < 1) {
            throw new IllegalArgumentException("events, streams and partitions must be at least 1");
        }
    }

    /** Returns this workload with other properties of the events. */
    public Workload with(Mix newMix) {
        return new Workload(seed, events, streams, partitions, endMs, newMix);
    }

    /** Returns a new generator, which begins at the first event. */
    public EventGenerator generator() {
        return new EventGenerator(this);
    }
}
