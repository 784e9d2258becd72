package dev.ebb.port.forecast;

import dev.ebb.domain.event.StreamName;
import java.util.Collection;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Shows the figures of all streams of this instance, each read on request. Thread-safe. */
public interface StreamFigures {

    /**
     * Shows each stream of these partitions until the visitor returns false.
     *
     * @throws dev.ebb.port.NotReadyException while one of these partitions restores
     * @throws dev.ebb.port.OtherInstanceException if another instance keeps one of these partitions
     */
    void visit(Collection<Integer> partitions, Predicate<Figures> visitor);

    /** Figures of one stream, valid only during the call of the visitor. */
    interface Figures {

        StreamName stream();

        /** Returns the number of all events of the stream, protected ones included. */
        long events();

        /**
         * Returns the oldest anchor of the unprotected events, epoch milliseconds; null if there is none before that
         * time. In most cases the record of the stream suffices to rule one out.
         */
        @Nullable
        Long oldestBefore(long timeMs);

        /**
         * Returns the events that are due and still there, even where their policy only warns or a hold covers them.
         */
        Overdue overdue();
    }

    /**
     * Events that are due already.
     *
     * @param isExact false if there were too many to count, which makes the number a lower bound
     */
    record Overdue(long events, boolean isExact) {}
}
