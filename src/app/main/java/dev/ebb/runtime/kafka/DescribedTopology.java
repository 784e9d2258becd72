package dev.ebb.runtime.kafka;

import dev.ebb.topology.observe.CatchUp;

/** Catch-up of a topology that is only described. */
final class DescribedTopology implements CatchUp {

    @Override
    public void taskStarted(int partition) {}

    @Override
    public void processed(String topic, int partition, long offset) {}

    @Override
    public boolean isCaughtUp(int partition) {
        return false;
    }

    @Override
    public long policiesTarget() {
        return UNKNOWN;
    }
}
