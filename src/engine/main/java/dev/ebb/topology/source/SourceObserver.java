package dev.ebb.topology.source;

import dev.ebb.domain.event.RejectReason;

/** Is told of the work of the tasks of a source. Thread-safe. */
public interface SourceObserver {

    /** A record did not fit. */
    default void rejected(String source, RejectReason reason, String detail) {}

    /** A record that a tombstone of Ebb overtook was sent again (F-7). */
    default void overtaken(String source) {}

    /**
     * A record that a tombstone of Ebb overtook is not on its topic any more, so that it cannot be sent again.
     *
     * @param at the place of the record
     */
    default void lost(String source, String at) {}

    /** The topic was deleted and made anew (F-11); it is read from its beginning. */
    default void renewed(String source, String topic) {}
}
