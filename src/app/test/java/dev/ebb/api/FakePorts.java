package dev.ebb.api;

import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamRecord;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.FormerPolicy;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.domain.retention.Fate;
import dev.ebb.domain.source.Source;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.EventQueries;
import dev.ebb.port.EventWriter;
import dev.ebb.port.HealthSource;
import dev.ebb.port.MetricsSource;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.ReadEvent;
import dev.ebb.port.RequestMeter;
import dev.ebb.port.RunningCommand;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All ports in memory; paging by index. */
public final class FakePorts
        implements EventQueries, EventWriter, PolicyAdmin, StatusSource, HealthSource, MetricsSource {

    static final Instant T0 = Instant.parse("2026-11-01T10:00:00.5Z");

    private static final Comparator<String> BY_BYTES =
            Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    final Map<StreamName, List<ReadEvent>> stored = new TreeMap<>();
    final List<Event> written = new ArrayList<>();
    public final List<ExecutionUpdate> executions = new ArrayList<>();

    public final Map<StreamName, EndsInWaiting> waitingEnds = new TreeMap<>(Comparator.comparing(StreamName::value));
    final List<EventUpdate> updates = new ArrayList<>();
    final Map<Scope, VersionedPolicy> policies = new TreeMap<>();
    final Map<String, Hold> holds = new TreeMap<>();
    final List<Source> sources = new ArrayList<>();

    /** What the newest change of a key has replaced. */
    public final Map<PolicyKey, FormerPolicy> formers = new TreeMap<>();

    public final List<PolicyBatch> changes = new ArrayList<>();
    public final List<WaitingPolicy> waiting = new ArrayList<>();
    public final List<String> confirmed = new ArrayList<>();
    public @Nullable BrakeFinding toldOfConfirmed;
    public long recordsOfConfirmed;
    public final List<String> dropped = new ArrayList<>();
    public final Map<String, StatusView.NamespaceView> namespaces = new TreeMap<>();
    public final FakeInsight insight = new FakeInsight();
    final BuiltInPolicies builtIn = new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE);
    public final FakeDesk commands = new FakeDesk();

    /** The time by which requests are understood. */
    public InstantSource time = InstantSource.system();

    final FakeSources sourceTopics = new FakeSources();
    public final List<RunningCommand> running = new ArrayList<>();

    /** What happens whenever somebody looks for names. */
    public Runnable onLook = () -> {};

    public PolicyEdition edition = new PolicyEdition(7, 0);
    public boolean takesEffect = true;
    public boolean isTooLate;
    public boolean isCountedAnew;
    public boolean isUp = true;
    RuntimeException failure;
    final List<StreamQuery> streamQueries = new ArrayList<>();
    EventQuery lastEventQuery;
    public ExpiringQuery lastExpiringQuery;
    public SearchQuery lastSearchQuery;

    public RequestMeter requests = new RequestMeter() {
        @Override
        public void answered(String route, int status, long nanos) {}

        @Override
        public void listening(int change) {}
    };

    /** Runs before policies are told. */
    Runnable whenAskedForPolicies = () -> {};

    public ApiPorts ports() {
        return new ApiPorts(
                this,
                this,
                this,
                commands,
                sourceTopics,
                (partition, limit) -> running.stream()
                        .filter(command -> command.partition() == partition)
                        .limit(limit)
                        .toList(),
                this,
                this,
                this,
                requests,
                insight.ports(this),
                ((InstantSource) () -> time.instant()).withZone(ZoneOffset.UTC));
    }

    public FakePorts store(String stream, String id, boolean isExpired) {
        return store(stream, id, null, new byte[0], isExpired);
    }

    FakePorts store(String stream, String id, String contentType, byte[] payload, boolean isExpired) {
        Event event = new Event(
                new StreamName(stream),
                new EventId(id),
                "test",
                null,
                T0.toEpochMilli(),
                T0.toEpochMilli(),
                OwnTtl.NONE,
                0,
                null,
                Map.of(),
                contentType,
                payload);
        StoredEvent storedEvent = new StoredEvent(event, T0.toEpochMilli(), 0, false);
        stored.computeIfAbsent(event.stream(), name -> new ArrayList<>())
                .add(new ReadEvent(storedEvent, T0.plusSeconds(60).toEpochMilli(), isExpired, Fate.GOES));
        return this;
    }

    public FakePorts policy(RetentionPolicy policy, long version) {
        policies.put(policy.scope(), new VersionedPolicy(policy, version, T0.toEpochMilli()));
        return this;
    }

    @Override
    public StreamPage streams(StreamQuery query, Collection<Integer> partitions) {
        fail();
        onLook.run();
        streamQueries.add(query);
        List<StreamUsage> all = stored.keySet().stream()
                .filter(name -> query.after() == null || BY_BYTES.compare(name.value(), query.after()) > 0)
                .sorted(Comparator.comparing(StreamName::value, BY_BYTES))
                .filter(name -> name.value().startsWith(query.prefix()))
                .filter(name -> query.namespace() == null || query.namespace().equals(name.namespace()))
                .map(name -> usage(name).orElseThrow())
                .toList();
        List<StreamUsage> page = all.subList(0, Math.min(query.limit(), all.size()));
        return new StreamPage(
                page,
                page.size() == all.size()
                        ? null
                        : page.get(page.size() - 1).stream().value());
    }

    @Override
    public Optional<StreamUsage> usage(StreamName stream) {
        fail();
        return Optional.ofNullable(stored.get(stream))
                .map(events -> new StreamUsage(
                        stream, events.size(), 100, 0, 0, 0, T0.toEpochMilli(), T0.toEpochMilli(), 0, null, null));
    }

    @Override
    public NextDue nextDue(StreamName stream) {
        return stored.getOrDefault(stream, List.of()).stream()
                .filter(event -> event.fate() == Fate.GOES)
                .map(ReadEvent::dueAtMs)
                .min(Comparator.naturalOrder())
                .map(lastMs -> new NextDue(lastMs, true))
                .orElse(NextDue.NONE);
    }

    @Override
    public Optional<StreamStanding> standing(StreamName stream) {
        fail();
        return Optional.ofNullable(stored.get(stream)).map(events -> {
            List<ExecutionUsage> all = executions.stream()
                    .filter(update -> update.stream().equals(stream))
                    .map(FakePorts::usage)
                    .toList();
            List<ExecutionUsage> open = all.stream()
                    .filter(usage -> !usage.execution().isTerminal())
                    .toList();
            return new StreamStanding(
                    executions.isEmpty() ? null : executions.get(0).parent(),
                    all.stream()
                            .mapToLong(usage -> usage.execution().number())
                            .max()
                            .orElse(0),
                    open.size(),
                    open,
                    0,
                    List.of());
        });
    }

    @Override
    public EndsInWaiting endsInWaiting(StreamName stream) {
        return waitingEnds.getOrDefault(stream, EndsInWaiting.NONE);
    }

    @Override
    public List<ExecutionUsage> executions(StreamName stream, long below, int limit) {
        return executions.stream()
                .filter(update -> update.stream().equals(stream) && update.execution() < below)
                .map(FakePorts::usage)
                .sorted(Comparator.comparingLong(usage -> -usage.execution().number()))
                .limit(limit)
                .toList();
    }

    private static ExecutionUsage usage(ExecutionUpdate update) {
        boolean isTerminal = TerminalStatuses.DEFAULT.isTerminal(update.status());
        Long completedAt = isTerminal ? update.completedAt() : null;
        return new ExecutionUsage(
                new Execution(update.execution(), update.status(), isTerminal, update.startedAt(), completedAt),
                2,
                200,
                isTerminal ? 0 : 2,
                isTerminal ? null : (Long) T0.toEpochMilli());
    }

    /** All events of the namespace, ordered by the time that they show. */
    @Override
    public ExpiringPage expiring(ExpiringQuery query, Collection<Integer> partitions) {
        fail();
        lastExpiringQuery = query;
        List<MarkedEvent> all = new ArrayList<>();
        stored.forEach((stream, events) -> {
            for (int i = 0; i < events.size(); i++) {
                DueMark mark = new DueMark(events.get(i).dueAtMs(), stream, 0, 0, i);
                boolean isBehind = query.after() == null || mark.compareTo(query.after()) > 0;
                if (stream.namespace().equals(query.namespace()) && isBehind) {
                    all.add(new MarkedEvent(mark, events.get(i)));
                }
            }
        });
        all.sort(Comparator.comparing(MarkedEvent::mark));
        List<MarkedEvent> page = all.subList(0, Math.min(all.size(), query.limit()));
        return new ExpiringPage(
                page,
                page.size() == all.size() ? null : page.get(page.size() - 1).mark());
    }

    /** All events that meet the conditions, in one partition; a cursor is the number of events before it. */
    @Override
    public FoundPage search(SearchQuery query) {
        fail();
        lastSearchQuery = query;
        List<ReadEvent> all = stored.values().stream()
                .flatMap(List::stream)
                .filter(one -> EventCondition.areAllMetBy(one.event().event(), query.where()))
                .toList();
        String cursor = query.from().cursor();
        int from = cursor == null ? 0 : Integer.parseInt(cursor);
        int to = Math.min(all.size(), from + query.limit());
        return new FoundPage(all.subList(from, to), to == all.size() ? null : new SearchMark(0, Integer.toString(to)));
    }

    @Override
    public EventPage events(StreamName stream, EventQuery query) {
        fail();
        lastEventQuery = query;
        String cursor = Objects.requireNonNullElse(query.cursor(), "0");
        if (!cursor.matches("\\d+")) {
            throw new BadCursorException();
        }
        int from = Integer.parseInt(cursor);
        List<ReadEvent> all = stored.getOrDefault(stream, List.of()).stream()
                .filter(event -> query.includeExpired() || !event.isExpired())
                .toList();
        int to = Math.min(from + query.limit(), all.size());
        return new EventPage(all.subList(from, to), to == all.size() ? null : Integer.toString(to));
    }

    @Override
    public Optional<ReadEvent> event(StreamName stream, EventId id) {
        fail();
        return stored.getOrDefault(stream, List.of()).stream()
                .filter(read -> read.event().event().id().equals(id))
                .findFirst();
    }

    @Override
    public void write(List<? extends StreamRecord> records) {
        fail();
        for (StreamRecord record : records) {
            if (record instanceof Event event) {
                written.add(event);
            } else {
                executions.add((ExecutionUpdate) record);
            }
        }
    }

    @Override
    public void writeUpdate(EventUpdate update) {
        fail();
        updates.add(update);
    }

    @Override
    public Duration undoMax() {
        return Duration.ofDays(7);
    }

    @Override
    public PolicySet current() {
        whenAskedForPolicies.run();
        return new PolicySet(policies, holds, builtIn, 7)
                .with(sources.stream().map(PolicyEdit::of).toList())
                .with(edition);
    }

    @Override
    public Outcome publish(PolicyBatch change, Duration wait) {
        fail();
        changes.add(change);
        List<PolicyKey> withdrawn = takesEffect
                ? waiting.stream()
                        .map(WaitingPolicy::key)
                        .filter(change.keys()::contains)
                        .toList()
                : List.of();
        return new Outcome(takesEffect, takesEffect ? 8 : 7, takesEffect ? List.of() : waiting, withdrawn);
    }

    @Override
    public Optional<FormerPolicy> before(PolicyKey key, @Nullable Long version) {
        return Optional.ofNullable(formers.get(key)).filter(former -> version == null || former.version() == version);
    }

    @Override
    public List<WaitingPolicy> waiting() {
        return List.copyOf(waiting);
    }

    @Override
    public Optional<Outcome> confirm(WaitingPolicy one, long records, String actor, String reason, Duration wait) {
        if (isTooLate) {
            return Optional.empty();
        }
        if (isCountedAnew) {
            return Optional.of(new Outcome(false, 9, List.of(one), List.of()));
        }
        confirmed.add(one.key() + " by " + actor + ": " + reason);
        toldOfConfirmed = one.finding();
        recordsOfConfirmed = records;
        waiting.removeIf(other -> other.key().equals(one.key()) && other.version() == one.version());
        return Optional.of(new Outcome(true, 9));
    }

    @Override
    public void dropUnread(String key, long version, String actor, String reason) {
        dropped.add(key + " " + version + " by " + actor + ": " + reason);
    }

    @Override
    public StatusView status() {
        return new StatusView(
                "ebb",
                "one",
                "0",
                "RUNNING",
                T0,
                true,
                List.of(new StatusView.PartitionView(
                        0,
                        "idle",
                        T0,
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
                        StatusView.CommandsView.NOTHING)),
                List.of(),
                new StatusView.PoliciesView(
                        7, 0, null, List.of(), new StatusView.BrakeView(20, 10_000, 604_800_000), List.of()),
                namespaces,
                new StatusView.CountsView(1, 0, 0, 0, 0, 0, Map.of()),
                new StatusView.InputView(0L),
                StatusView.TrashView.NOTHING,
                new StatusView.ClockView(0L, null),
                null,
                List.of());
    }

    @Override
    public Map<String, StatusView.NamespaceView> namespaces(Collection<Integer> partitions) {
        fail();
        onLook.run();
        return namespaces;
    }

    @Override
    public Health live() {
        return new Health(true, "works");
    }

    @Override
    public Health ready() {
        return new Health(isUp, isUp ? "all partitions are ready" : "partition 1 restores");
    }

    @Override
    public Health started() {
        return new Health(isUp, "");
    }

    @Override
    public String contentType(String accept) {
        return "text/plain";
    }

    @Override
    public void write(String accept, OutputStream out) throws IOException {
        out.write("ebb_up 1\n".getBytes(StandardCharsets.UTF_8));
    }

    private void fail() {
        if (failure != null) {
            throw failure;
        }
    }
}
