package dev.ebb.api.peers;

import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.port.Copies;
import dev.ebb.port.Departure;
import dev.ebb.port.EventQueries;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.Placement;
import dev.ebb.port.ReadEvent;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Ports through which the REST interface answers for all instances.
 *
 * @param placement tells which instance has which partition
 * @param copies copies on this instance of partitions that others keep
 * @param departure the departure of this instance from the application
 * @param settings settings for questions to other instances
 */
public record PeerPorts(Placement placement, Copies copies, Departure departure, PeerSettings settings) {

    /** Returns the ports of an instance that has every partition and knows no other instance. */
    public static PeerPorts alone() {
        return new PeerPorts(new Alone(), new NoCopies(), new NoDeparture(), PeerSettings.of("", null));
    }

    private static final class Alone implements Placement {

        private static final String SELF = "this instance";

        @Override
        public String self() {
            return SELF;
        }

        @Override
        public int partitions() {
            return 1;
        }

        @Override
        public int partitionOf(StreamName stream) {
            return 0;
        }

        @Override
        public Map<Integer, String> keepers() {
            return Map.of(0, SELF);
        }

        @Override
        public List<String> followers(int partition) {
            return List.of();
        }

        @Override
        public Set<String> instances() {
            return Set.of(SELF);
        }
    }

    private static final class NoDeparture implements Departure {

        @Override
        public boolean hasLeft() {
            return false;
        }

        @Override
        public boolean leave() {
            throw new NotReadyException("there is no group to leave", Duration.ofSeconds(1));
        }
    }

    private static final class NoCopies implements Copies, EventQueries {

        @Override
        public EventQueries events() {
            return this;
        }

        @Override
        public OptionalLong lag(int partition) {
            return OptionalLong.empty();
        }

        @Override
        public StreamPage streams(StreamQuery query, Collection<Integer> partitions) {
            throw none();
        }

        @Override
        public Optional<StreamUsage> usage(StreamName stream) {
            throw none();
        }

        @Override
        public Optional<StreamStanding> standing(StreamName stream) {
            throw none();
        }

        @Override
        public EndsInWaiting endsInWaiting(StreamName stream) {
            throw none();
        }

        @Override
        public List<ExecutionUsage> executions(StreamName stream, long below, int limit) {
            throw none();
        }

        @Override
        public ExpiringPage expiring(ExpiringQuery query, Collection<Integer> partitions) {
            throw none();
        }

        @Override
        public EventPage events(StreamName stream, EventQuery query) {
            throw none();
        }

        @Override
        public Optional<ReadEvent> event(StreamName stream, EventId id) {
            throw none();
        }

        private static NotReadyException none() {
            return new NotReadyException("there are no copies", Duration.ofSeconds(1));
        }
    }
}
