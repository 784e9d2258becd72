package dev.ebb.bench.load;

/**
 * What is sent: the same events for the same values, whenever and wherever.
 *
 * @param seed what the random numbers begin with
 * @param events how many records, repeated ids included
 * @param streams how many streams
 * @param partitions how many partitions the streams are spread over
 * @param endMs when the last event is sent, epoch milliseconds
 * @param mix what they are like
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

    /** A new run through the events, from the first on. */
    public EventGenerator generator() {
        return new EventGenerator(this);
    }
}
