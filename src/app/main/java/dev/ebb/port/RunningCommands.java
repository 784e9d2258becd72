package dev.ebb.port;

import java.util.List;

/** Finds commands of this instance that have begun and not ended. Thread-safe. */
public interface RunningCommands {

    /**
     * Returns some of these commands of a partition, in no particular order.
     *
     * @param limit the maximum number of commands to return
     * @throws NotReadyException if the partition restores or moves
     */
    List<RunningCommand> running(int partition, int limit);
}
