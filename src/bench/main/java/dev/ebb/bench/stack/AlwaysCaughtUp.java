package dev.ebb.bench.stack;

import dev.ebb.topology.observe.CatchUp;

/** Lets sweeps run while the input is drained, so that nothing waits for the end of the input. */
public final class AlwaysCaughtUp implements CatchUp {

    private final String input;
    private final Taken taken;

    /**
     * @param input the topic of events
     * @param taken takes each record of the input
     */
    public AlwaysCaughtUp(String input, Taken taken) {
        this.input = input;
        this.taken = taken;
    }

    /** Takes each record that has been taken in; called on stream threads. */
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
