package dev.ebb.topology.source;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourcePlace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The topics to which deletes of events of sources send tombstones, as this instance knows them (F-6). Without such a
 * source, each question costs the look at an empty list. Thread-safe.
 */
public final class SourceTargets {

    private volatile List<Target> targets = List.of();
    private volatile List<Source> cut = List.of();

    /** States of a target. */
    public enum State {
        /** Kafka has not answered yet. Nothing of the source may be deleted until it has. */
        UNKNOWN,
        /** The topic cannot take tombstones. Sweeps leave the events of the source alone. */
        REFUSED,
        /** The source has not been read to its end. Sweeps leave its events alone; commands go on (F-7). */
        BEHIND,
        /** All is well. */
        READY
    }

    /**
     * The target of a source.
     *
     * @param source the source
     * @param topic the topic of the tombstones
     * @param topicId the id of the topic of the source; empty while it is unknown
     * @param state the state of the target
     */
    public record Target(Source source, String topic, String topicId, State state) {

        /** Returns the target of a source with tombstones, before Kafka has been asked about it. */
        public static Target unknown(Source source) {
            return new Target(source, source.tombstoneTopic(), "", State.UNKNOWN);
        }

        private boolean isOf(StreamName stream) {
            return source.mayHave(stream);
        }

        /** Returns true if the record at that place is one on the topic of the source as it is now. */
        public boolean takes(SourcePlace place) {
            return state != State.REFUSED
                    && place.source().equals(source.name())
                    && place.topicId().equals(topicId);
        }
    }

    /** Puts the targets in the place of the former ones. */
    public void replace(List<Target> others) {
        targets = List.copyOf(others);
    }

    /** Sets the logs whose starts move. */
    void cut(List<Source> logs) {
        cut = List.copyOf(logs);
    }

    /** Returns the log whose start moves behind the events of the stream when they are gone; null if there is none. */
    public @Nullable Source cutLogOf(StreamName stream) {
        for (Source log : cut) {
            if (log.mayHave(stream)) {
                return log;
            }
        }
        return null;
    }

    /** Returns the target of that source as it is known. */
    Target known(Source source) {
        return targets.stream()
                .filter(target -> target.source.equals(source))
                .findFirst()
                .orElseGet(() -> Target.unknown(source));
    }

    /** Returns the target of the source from which the stream comes; null if there is none. */
    public @Nullable Target of(StreamName stream) {
        for (Target target : targets) {
            if (target.isOf(stream)) {
                return target;
            }
        }
        return null;
    }

    /** Returns true if a sweep may delete from the stream. */
    public boolean maySweep(StreamName stream) {
        Target target = of(stream);
        return target == null || target.state == State.READY;
    }

    /** Returns true unless a target waits for the first answer of Kafka. */
    public boolean areKnown() {
        for (Target target : targets) {
            if (target.state == State.UNKNOWN) {
                return false;
            }
        }
        return true;
    }
}
