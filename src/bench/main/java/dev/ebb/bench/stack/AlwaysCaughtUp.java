package dev.ebb.bench.stack;

import dev.ebb.topology.observe.CatchUp;

/** Sweeps run while the input is drained, so nothing waits for its end. */
public final class AlwaysCaughtUp implements CatchUp {

    private final String input;
    private final Taken taken;

    /**
     * @param input the topic of events
     * @param taken is told of each record of it
     */
    public AlwaysCaughtUp(String input, Taken taken) {
        this.input = input;
        this.taken = taken;
    }

    /** Hears on stream threads which record has been taken in. */
    @FunctionalInterface
    public interface Taken {

        void taken(int partition, long offset);
    }

    @Override
    public void taskStarted(int partition) {}

    @Override
    public void processed(String topic, int partition, long offset) {
        if (topic.equals(input)) {
            taken.taken(partition, offset);
        }
    }

    @Override
    public boolean isCaughtUp(int partition) {
        return true;
    }

    @Override
    public long policiesTarget() {
        return -1;
    }
}
