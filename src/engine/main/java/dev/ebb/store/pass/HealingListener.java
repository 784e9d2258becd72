package dev.ebb.store.pass;

import dev.ebb.store.state.StreamState;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Is notified when the usage of a stream has been mended. */
@FunctionalInterface
public interface HealingListener {

    /**
     * Notes that all events of the stream have been recounted.
     *
     * @param finding the reason for the recount
     * @param differences the figures that were wrong, for people; empty if all were right
     */
    void healed(StreamState stream, String finding, List<String> differences);

    /**
     * Runs a part of the recount of the stream; an implementation may confine a failure to the stream.
     *
     * @return the result of the work; true if the work failed, which ends the recount
     */
    default boolean run(StreamState stream, BooleanSupplier work) {
        return work.getAsBoolean();
    }
}
