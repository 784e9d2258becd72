package dev.ebb.api;

import dev.ebb.api.console.Console;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.peers.PeerPorts;
import dev.ebb.api.peers.PeerSettings;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.Departure;
import dev.ebb.port.EventQueries;
import dev.ebb.port.Membership;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.Placement;
import dev.ebb.port.ReadEvent;
import dev.ebb.port.Replicas;
import io.javalin.Javalin;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Servers of an instance that has every partition and knows no other instance, and what servers hold. */
public final class LoneServer {

    private LoneServer() {}

    /** Returns a server without tokens, which trusts all callers. */
    public static ApiServer of(ApiPorts ports, ApiSettings settings) {
        return new ApiServer(ports, settings, ApiSecurity.NONE, peers());
    }

    static PeerPorts peers() {
        return new PeerPorts(
                new Alone(),
                new NoReplicas(),
                new NoDeparture(),
                new NoGroup(),
                OptionalLong::empty,
                PeerSettings.of("", null));
    }

    /** Returns the routes of the server, as they were declared. */
    @SuppressWarnings("unchecked")
    static List<ApiRoute> routes(ApiServer server) {
        return (List<ApiRoute>) field(server, "routes");
    }

    /**
     * Returns the methods and paths that the server has registered, without the pages of the console, which are no part
     * of the interface.
     */
    static Set<String> served(ApiServer server) {
        return ((Javalin) field(server, "server"))
                .unsafe.internalRouter.allHttpHandlers().stream()
                        .filter(handler -> !handler.endpoint.method.equals(HandlerType.BEFORE)
                                && !handler.endpoint.method.equals(HandlerType.AFTER))
                        .filter(handler -> !Console.isAt(handler.endpoint.path))
                        .map(handler -> handler.endpoint.method.name() + " " + handler.endpoint.path)
                        .collect(Collectors.toSet());
    }

    private static Object field(ApiServer server, String name) {
        try {
            var field = ApiServer.class.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(server);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
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

    private static final class NoGroup implements Membership {

        @Override
        public String self() {
            return null;
        }

        @Override
        public List<Member> members() {
            return List.of();
        }

        @Override
        public Map<String, Heartbeat> heartbeats() {
            return Map.of();
        }

        @Override
        public Duration heartbeatInterval() {
            return Duration.ofSeconds(5);
        }

        @Override
        public void remove(Member member) {
            throw new NotReadyException("there is no group", Duration.ofSeconds(1));
        }
    }

    private static final class NoReplicas implements Replicas, EventQueries {

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
        public NextDue nextDue(StreamName stream) {
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
        public FoundPage search(SearchQuery query) {
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
