package dev.ebb.port.forecast;

import dev.ebb.domain.event.StreamName;
import java.util.Collection;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Shows the figures of all streams of this instance, each read when it is asked for. Thread-safe. */
public interface StreamFigures {

    /**
     * Shows each stream of these partitions until the visitor says no.
     *
     * @throws dev.ebb.port.NotReadyException while one of them restores
     * @throws dev.ebb.port.OtherInstanceException if another instance keeps one of them
     */
    void visit(Collection<Integer> partitions, Predicate<Figures> visitor);

    /** Figures of one stream, good as long as the visitor looks at them. */
    interface Figures {

        StreamName stream();

        /** All its events, protected ones included. */
        long events();

        /**
         * The oldest anchor of its events that are not protected, epoch milliseconds; null if there is none before that
         * time. Mostly the record of the stream tells that there is none.
         */
        @Nullable
        Long oldestBefore(long timeMs);

        /** Its events that are due and still there, also where its policy only warns or a hold covers it. */
        Overdue overdue();
    }

    /**
     * Events that are due already.
     *
     * @param isExact false if there were too many to count, so that the number is a lower bound
     */
    record Overdue(long events, boolean isExact) {}
}
