package dev.ebb.store.pass;

import dev.ebb.store.state.StreamState;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Is told when the usage of a stream has been mended. */
@FunctionalInterface
public interface HealingListener {

    /**
     * All events of the stream have been counted anew.
     *
     * @param finding the reason for the recount
     * @param differences the figures that were wrong, for people; empty if all of them were right
     */
    void healed(StreamState stream, String finding, List<String> differences);

    /**
     * Does a part of the recount of the stream, and may keep a failure to that stream.
     *
     * @return the result of the work; true if it failed, which ends the recount
     */
    default boolean run(StreamState stream, BooleanSupplier work) {
        return work.getAsBoolean();
    }
}
