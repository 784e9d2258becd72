package dev.ebb.api;

import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.peers.PeerPorts;
import dev.ebb.api.peers.PeerSettings;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.Departure;
import dev.ebb.port.EventQueries;
import dev.ebb.port.ExplainQueries;
import dev.ebb.port.InsightPorts;
import dev.ebb.port.MirrorCheck;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.port.Placement;
import dev.ebb.port.ReadEvent;
import dev.ebb.port.Replicas;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView;
import dev.ebb.port.history.TrashCounts;
import dev.ebb.serde.mirror.MirrorTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Instances of one application with real servers on loopback ports, and data in memory. The partition of a stream is the
 * digit that its name ends with.
 */
public final class FakeInstances implements AutoCloseable {

    static final String SECRET = "0123456789abcdef";
    static final int PARTITIONS = 4;

    /** The instance that keeps each partition, as Kafka would tell all of them. */
    final Map<Integer, String> keepers = new ConcurrentHashMap<>();

    public final Map<Integer, List<String>> followers = new ConcurrentHashMap<>();
    final List<Instance> all = new ArrayList<>();
    OptionalLong waiting = OptionalLong.empty();

    /** A new instance that keeps nothing yet. */
    public Instance start() {
        return start(SECRET);
    }

    Instance start(String secret) {
        return start(secret, Duration.ofSeconds(10));
    }

    /** @param patience how long it waits for the answers of others */
    Instance start(String secret, Duration patience) {
        Instance instance = new Instance(secret, patience);
        all.add(instance);
        instance.server.start();
        instance.address = "127.0.0.1:" + instance.server.port();
        return instance;
    }

    public void give(Instance instance, int... partitions) {
        for (int partition : partitions) {
            keepers.put(partition, instance.address);
        }
    }

    static int partitionOf(StreamName stream) {
        int last = stream.value().charAt(stream.value().length() - 1);
        return Character.isDigit(last) ? (last - '0') % PARTITIONS : 0;
    }

    @Override
    public void close() {
        all.forEach(instance -> instance.server.close());
    }

    public final class Instance implements EventQueries, Placement, Replicas, Departure {

        final FakePorts data = new FakePorts();
        final Map<Integer, RuntimeException> failures = new HashMap<>();
        final AtomicInteger asked = new AtomicInteger();
        public final ApiServer server;
        public String address = "";
        Map<Integer, String> believed;
        public final FakeGroup group = new FakeGroup();
        public boolean hasLeft;
        public boolean isLeavingInTime = true;

        private Instance(String secret, Duration patience) {
            ApiPorts ports = data.ports();
            data.commands.require = this::require;
            this.server = new ApiServer(
                    new ApiPorts(
                            this,
                            ports.writer(),
                            ports.policies(),
                            ports.commands(),
                            ports.sources(),
                            (partition, limit) -> {
                                require(partition);
                                return ports.running().running(partition, limit);
                            },
                            new Status(),
                            ports.health(),
                            ports.metrics(),
                            ports.requests(),
                            insight(ports.insight()),
                            ports.clock()),
                    new ApiSettings("127.0.0.1", 0, 10_000, Duration.ofMillis(10)),
                    ApiSecurity.NONE,
                    new PeerPorts(
                            this,
                            this,
                            this,
                            group,
                            () -> waiting,
                            new PeerSettings(secret, null, Duration.ofSeconds(2), patience)));
        }

        private InsightPorts insight(InsightPorts ports) {
            ExplainQueries explain = new ExplainQueries() {
                @Override
                public Optional<Standing> standing(StreamName stream, EventId id, PolicySet policies, long nowMs) {
                    require(partitionOf(stream));
                    return ports.explain().standing(stream, id, policies, nowMs);
                }

                @Override
                public List<String> sweepProblems(StreamName stream) {
                    require(partitionOf(stream));
                    return ports.explain().sweepProblems(stream);
                }

                @Override
                public EndsInWaiting endsInWaiting(StreamName stream) {
                    return ports.explain().endsInWaiting(stream);
                }
            };
            return new InsightPorts(
                    ports.audit(),
                    ports.sweeps(),
                    ports.rejected(),
                    ports.archive(),
                    ports.due(),
                    ports.expired(),
                    explain,
                    (partition, limit) -> {
                        require(partition);
                        return ports.parked().parked(partition, limit);
                    },
                    ports.receipts(),
                    new PlacedTrash(ports.trash()),
                    new PlacedMirror(ports.mirror()),
                    new FakeFigures(this, data.insight.overdue),
                    ports.forecasts(),
                    ports.deletions(),
                    ports.news());
        }

        /** Answers for the partitions of this instance alone. */
        private final class PlacedTrash implements TrashCounts {

            private final TrashCounts trash;

            PlacedTrash(TrashCounts trash) {
                this.trash = trash;
            }

            @Override
            public List<TrashSum> waiting(Collection<Integer> partitions) {
                partitions.forEach(Instance.this::require);
                return trash.waiting(partitions);
            }

            @Override
            public List<TrashSum> waiting(StreamName stream) {
                return trash.waiting(stream);
            }
        }

        /** Answers for the partitions of this instance alone. */
        private final class PlacedMirror implements MirrorCheck {

            private final MirrorCheck all;

            PlacedMirror(MirrorCheck all) {
                this.all = all;
            }

            @Override
            public String mark() {
                return all.mark();
            }

            @Override
            public boolean hasPassed(String mark) {
                return all.hasPassed(mark);
            }

            @Override
            public Refusals refused(int most) {
                return all.refused(most);
            }

            @Override
            public DigestPage inSql(MirrorTable table, String after) {
                return all.inSql(table, after);
            }

            @Override
            public DigestPage stored(int partition, MirrorTable table, String after) {
                require(partition);
                return all.stored(partition, table, after);
            }

            @Override
            public DifferencePage differences(Group group, String after) {
                require(partitionOf(new StreamName(group.stream())));
                return all.differences(group, after);
            }

            @Override
            public List<Difference> look(String stream, List<RowKey> rows, List<Long> executions) {
                require(partitionOf(new StreamName(stream)));
                return all.look(stream, rows, executions);
            }
        }

        public ApiClient client() {
            return new ApiClient(server.port());
        }

        public Instance store(String stream, String id) {
            data.store(stream, id, false);
            return this;
        }

        /** Sets the belief of this instance, which may be wrong for a while. */
        Instance believe(int partition, String keeper) {
            believed = new TreeMap<>(keepers);
            believed.put(partition, keeper);
            return this;
        }

        private void require(int partition) {
            asked.incrementAndGet();
            if (failures.containsKey(partition)) {
                throw failures.get(partition);
            }
            String keeper = keepers().get(partition);
            if (!address.equals(keeper)) {
                throw keeper == null
                        ? new NotReadyException("partition " + partition + " moves", Duration.ofSeconds(1))
                        : new OtherInstanceException("partition " + partition, keeper);
            }
        }

        @Override
        public StreamPage streams(StreamQuery query, Collection<Integer> partitions) {
            partitions.forEach(this::require);
            return copy.streams(query, partitions);
        }

        @Override
        public Optional<StreamUsage> usage(StreamName stream) {
            require(partitionOf(stream));
            return data.usage(stream);
        }

        @Override
        public NextDue nextDue(StreamName stream) {
            require(partitionOf(stream));
            return data.nextDue(stream);
        }

        @Override
        public Optional<StreamStanding> standing(StreamName stream) {
            require(partitionOf(stream));
            return data.standing(stream);
        }

        @Override
        public EndsInWaiting endsInWaiting(StreamName stream) {
            // A detail of another answer, for which this instance has been asked.
            return data.endsInWaiting(stream);
        }

        @Override
        public List<ExecutionUsage> executions(StreamName stream, long below, int limit) {
            require(partitionOf(stream));
            return data.executions(stream, below, limit);
        }

        @Override
        public ExpiringPage expiring(ExpiringQuery query, Collection<Integer> partitions) {
            partitions.forEach(this::require);
            return copy.expiring(query, partitions);
        }

        @Override
        public FoundPage search(SearchQuery query) {
            int partition = query.from().partition();
            require(partition);
            FoundPage page = of(List.of(partition)).search(query);
            SearchMark next = page.next();
            SearchMark after = partition + 1 < partitions() ? new SearchMark(partition + 1, null) : null;
            return new FoundPage(page.events(), next == null ? after : new SearchMark(partition, next.cursor()));
        }

        @Override
        public EventPage events(StreamName stream, EventQuery query) {
            require(partitionOf(stream));
            return data.events(stream, query);
        }

        @Override
        public Optional<ReadEvent> event(StreamName stream, EventId id) {
            require(partitionOf(stream));
            return data.event(stream, id);
        }

        @Override
        public EventQueries events() {
            return copy;
        }

        @Override
        public OptionalLong lag(int partition) {
            return OptionalLong.of(10L + partition);
        }

        @Override
        public String self() {
            return address;
        }

        @Override
        public int partitions() {
            return PARTITIONS;
        }

        @Override
        public int partitionOf(StreamName stream) {
            return FakeInstances.partitionOf(stream);
        }

        @Override
        public Map<Integer, String> keepers() {
            return believed == null ? keepers : believed;
        }

        @Override
        public List<String> followers(int partition) {
            return followers.getOrDefault(partition, List.of());
        }

        @Override
        public Set<String> instances() {
            Set<String> instances = new TreeSet<>(keepers().values());
            all.forEach(instance -> instances.add(instance.address));
            return instances;
        }

        @Override
        public boolean hasLeft() {
            return hasLeft;
        }

        @Override
        public boolean leave() {
            hasLeft = true;
            keepers.values().removeIf(address::equals);
            return isLeavingInTime;
        }

        /** The data of this instance, no matter which instance keeps the partition. */
        private FakePorts of(Collection<Integer> partitions) {
            FakePorts asked = new FakePorts();
            data.stored.forEach((stream, events) -> {
                if (partitions.contains(partitionOf(stream))) {
                    asked.stored.put(stream, events);
                }
            });
            return asked;
        }

        private final EventQueries copy = new EventQueries() {
            @Override
            public StreamPage streams(StreamQuery query, Collection<Integer> partitions) {
                return of(partitions).streams(query, partitions);
            }

            @Override
            public ExpiringPage expiring(ExpiringQuery query, Collection<Integer> partitions) {
                return of(partitions).expiring(query, partitions);
            }

            @Override
            public FoundPage search(SearchQuery query) {
                return data.search(query);
            }

            @Override
            public NextDue nextDue(StreamName stream) {
                return data.nextDue(stream);
            }

            @Override
            public Optional<StreamStanding> standing(StreamName stream) {
                return data.standing(stream);
            }

            @Override
            public EndsInWaiting endsInWaiting(StreamName stream) {
                return data.endsInWaiting(stream);
            }

            @Override
            public List<ExecutionUsage> executions(StreamName stream, long below, int limit) {
                return data.executions(stream, below, limit);
            }

            @Override
            public Optional<StreamUsage> usage(StreamName stream) {
                return data.usage(stream);
            }

            @Override
            public EventPage events(StreamName stream, EventQuery query) {
                return data.events(stream, query);
            }

            @Override
            public Optional<ReadEvent> event(StreamName stream, EventId id) {
                return data.event(stream, id);
            }
        };

        private final class Status implements StatusSource {

            @Override
            public StatusView status() {
                StatusView one = data.status();
                List<StatusView.PartitionView> kept = keepers().entrySet().stream()
                        .filter(entry -> entry.getValue().equals(address))
                        .map(entry -> new StatusView.PartitionView(
                                entry.getKey(),
                                "idle",
                                null,
                                null,
                                null,
                                null,
                                7,
                                1,
                                0,
                                0,
                                0,
                                List.of(),
                                0,
                                Map.of(),
                                0,
                                Map.of(),
                                0,
                                StatusView.CommandsView.NOTHING))
                        .toList();
                return new StatusView(
                        one.applicationId(),
                        address,
                        one.version(),
                        one.state(),
                        one.startedAt(),
                        true,
                        kept,
                        one.restoring(),
                        one.policies(),
                        data.namespaces,
                        one.counts(),
                        one.input(),
                        one.trash(),
                        one.clock(),
                        null,
                        List.of());
            }

            @Override
            public Map<String, StatusView.NamespaceView> namespaces(Collection<Integer> partitions) {
                partitions.forEach(Instance.this::require);
                return data.namespaces;
            }
        }
    }
}
