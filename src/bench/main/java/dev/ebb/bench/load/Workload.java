package dev.ebb.bench.load;

/**
 * Events to send: equal ones for equal values, whenever and wherever.
 *
 * @param seed seed of the random numbers
 * @param events number of records, repeated ids included
 * @param streams number of streams
 * @param partitions number of partitions that the streams are spread over
 * @param endMs when the last event is sent, epoch milliseconds
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

    /** The same with other properties of the events. */
    public Workload with(Mix newMix) {
        return new Workload(seed, events, streams, partitions, endMs, newMix);
    }

    /** A new run through the events, from the first on. */
    public EventGenerator generator() {
        return new EventGenerator(this);
    }
}
