package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.model.RetentionModel;
import dev.ebb.model.RetentionModel.Kept;
import dev.ebb.store.StoreCheck;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;

/**
 * One random sequence of ingest, update, policy, outage, clock and restart, played by the whole topology and by a plain
 * model. After each sweep both must hold the same events, and must have removed the same ones for the same reasons.
 */
final class RetentionPlay {

    private static final int STEPS = 40;
    private static final long TICK_MS = 1000;
    private static final String[] STREAMS = {"orders/1", "orders/2", "jobs", "audit/é", "cache/x/y"};
    private static final String[] STATUSES = {null, "", "completed", "FAILED", "read", "pending", "Running", "archived"
    };
    private static final long[] AGES = {1, 1000, 5000, 60_000, 3_600_000};

    private final Random random;
    private final TopologyFixture fixture;
    private final RetentionModel model = new RetentionModel();
    private final Map<String, List<String>> removedByModel = new TreeMap<>();
    private int reportsSeen;
    private boolean isRegistryDown;
    private final List<Runnable> waiting = new ArrayList<>();
    private final Set<String> waitingStreams = new TreeSet<>();

    RetentionPlay(Random random, TopologyFixture fixture) {
        this.random = random;
        this.fixture = fixture;
    }

    void run() {
        fixture.settle();
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        if (isRegistryDown) {
            registryUp();
        }
        settleAndCompare();
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 55) {
            event();
        } else if (dice < 70) {
            update();
        } else if (dice < 80) {
            policy();
        } else if (dice < 95) {
            clock();
        } else if (dice < 97) {
            restart();
        } else if (dice < 98) {
            garbage();
        } else {
            registry();
        }
    }

    private void garbage() {
        StreamName stream = stream();
        fixture.send(stream.value().getBytes(StandardCharsets.UTF_8), new byte[] {1}, fixture.nowMs());
        later(stream, () -> {});
    }

    private void event() {
        Event event = randomEvent();
        long timestamp = fixture.nowMs() - random.nextInt(3000);
        fixture.event(event, timestamp);
        later(event.stream(), () -> model.event(event, timestamp, fixture.nowMs()));
        if (random.nextInt(10) == 0) {
            fixture.event(event, timestamp);
            later(event.stream(), () -> model.event(event, timestamp, fixture.nowMs()));
        }
    }

    private void update() {
        EventUpdate update = new EventUpdate(
                stream(),
                id(),
                random.nextBoolean() ? STATUSES[1 + random.nextInt(STATUSES.length - 1)] : null,
                random.nextInt(4) == 0 ? fixture.nowMs() - random.nextInt(100_000) : null,
                random.nextInt(4) == 0 ? ttl() : null,
                random.nextInt(4) == 0 ? Map.of("k", "v".repeat(random.nextInt(5))) : null);
        long timestamp = fixture.nowMs() - random.nextInt(3000);
        fixture.update(update, timestamp);
        later(update.stream(), () -> model.update(update, timestamp, fixture.nowMs()));
    }

    private void policy() {
        if (isRegistryDown) {
            return;
        }
        Scope scope = scope();
        if (random.nextInt(5) == 0) {
            fixture.removePolicy(scope);
            model.removePolicy(scope.toString());
        } else {
            RetentionPolicy policy = randomPolicy(scope);
            fixture.policy(policy);
            model.policy(policy);
        }
        settleAndCompare();
    }

    private void clock() {
        List<Long> dues = model.dueAfter(fixture.nowMs() + TICK_MS);
        if (!dues.isEmpty() && random.nextInt(3) == 0) {
            // A tick in the millisecond in which an event falls due, or just beside it.
            long due = dues.get(random.nextInt(Math.min(5, dues.size())));
            fixture.advance(due + random.nextInt(3) - 1 - fixture.nowMs());
            settleAndCompare();
        } else if (random.nextBoolean()) {
            // A sweep that needs several batches must end before more comes in, or the model could not follow it.
            fixture.advance(random.nextInt(900));
            settleAndCompare();
        } else {
            fixture.advance(AGES[random.nextInt(AGES.length)] + random.nextInt(3) - 1);
            settleAndCompare();
        }
    }

    private void restart() {
        if (isRegistryDown) {
            return;
        }
        if (random.nextInt(3) == 0) {
            TerminalStatuses statuses = random.nextBoolean()
                    ? TerminalStatuses.DEFAULT
                    : new TerminalStatuses(List.of("completed", "archived", "running"));
            Set<String> names = statuses == TerminalStatuses.DEFAULT
                    ? Set.of("completed", "failed", "cancelled", "read")
                    : Set.of("completed", "archived", "running");
            TopologySettings old = fixture.settings();
            fixture.restart(new TopologySettings(
                    statuses,
                    old.builtIn(),
                    true,
                    old.sweepIntervalMs(),
                    old.sweepBatchDeletes(),
                    old.sweepSlice(),
                    old.recordMaxBytes(),
                    Map.of(),
                    old.staleThreshold()));
            fixture.advance(1000);
            model.terminal(names, fixture.nowMs());
            settleAndCompare();
        } else {
            fixture.restart();
            settleAndCompare();
        }
    }

    private void registry() {
        if (isRegistryDown) {
            registryUp();
        } else {
            isRegistryDown = true;
            fixture.records.registryDown(true);
        }
    }

    private void registryUp() {
        isRegistryDown = false;
        fixture.records.registryDown(false);
        fixture.advance(1000);
        waiting.forEach(Runnable::run);
        waiting.clear();
        waitingStreams.clear();
        settleAndCompare();
    }

    /** While the registry is away, records wait; the model takes them in when the topology does. */
    private void later(StreamName stream, Runnable change) {
        if (isRegistryDown) {
            waiting.add(change);
            waitingStreams.add(stream.value());
        } else {
            change.run();
        }
    }

    private void settleAndCompare() {
        fixture.settle();
        checkSweeps();
        if (!isRegistryDown) {
            compare();
        }
    }

    /** Plays the sweep points of the reports to the model. */
    private void checkSweeps() {
        for (; reportsSeen < fixture.reports.size(); reportsSeen++) {
            SweepReport report = fixture.reports.get(reportsSeen);
            model.sweep(report.point().nowMs(), waitingStreams)
                    .forEach((cause, ids) -> removedByModel.put(report.sweepId() + " " + cause, sorted(ids)));
        }
    }

    private void compare() {
        List<StoredEvent> stored = fixture.stored();
        assertThat(describe(stored)).as("events").isEqualTo(describeModel());
        assertThat(model.sweep(lastSweepPoint()))
                .as("nothing is left to be swept")
                .isEmpty();
        compareUsage();
        compareMirror(stored);
        compareAudit();
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .as("I-3 store")
                .isEmpty();
    }

    private long lastSweepPoint() {
        return fixture.observer.status == null ? 0 : fixture.observer.status.lastSweepPointMs();
    }

    private void compareUsage() {
        Map<String, String> expected = new TreeMap<>();
        model.streams().forEach((name, stream) -> {
            if (!stream.isEmpty()) {
                long pinned =
                        stream.values().stream().filter(model::isProtected).count();
                expected.put(name, stream.size() + " " + RetentionModel.size(stream) + " " + pinned);
            }
        });
        Map<String, String> actual = new TreeMap<>();
        for (StreamUsage usage : fixture.reader().streams(null, "", 1000)) {
            actual.put(usage.stream().value(), usage.events() + " " + usage.bytes() + " " + usage.protectedEvents());
        }
        assertThat(actual).as("I-3 usage").isEqualTo(expected);
    }

    private void compareMirror(List<StoredEvent> events) {
        assertThat(fixture.mirror).as("I-4 mirror").hasSameSizeAs(events);
        for (StoredEvent stored : events) {
            Event event = stored.event();
            byte[] key = fixture.rows.eventKey(
                    stored.storedAt(), event.stream().value(), event.id().value());
            assertThat(fixture.mirror.get(Bytes.wrap(key)))
                    .as("row of " + stored)
                    .isEqualTo(fixture.rows.eventRow(stored));
        }
    }

    /** Each deletion has its one audit record, which names its sweep and its cause, and its one tombstone. */
    private void compareAudit() {
        Map<String, List<String>> audited = new TreeMap<>();
        long replaced = 0;
        long deleted = 0;
        for (AuditRecord audit : fixture.audits) {
            deleted += audit.eventIds().size();
            if (audit.origin().sweepId().isEmpty()) {
                replaced += audit.eventIds().size();
            } else {
                List<String> ids = audited.computeIfAbsent(
                        audit.origin().sweepId() + " " + audit.cause(), key -> new ArrayList<>());
                audit.eventIds().forEach(id -> ids.add(audit.stream() + "|" + id));
            }
        }
        audited.replaceAll((key, ids) -> sorted(ids));
        assertThat(audited).as("I-5 audit").isEqualTo(removedByModel);
        assertThat(replaced).as("replaced when due").isEqualTo(model.replacedDue);
        assertThat(fixture.mirrorLog.stream()
                        .filter(record -> record.value() == null)
                        .count())
                .as("I-2 tombstones")
                .isEqualTo(deleted);
    }

    private static List<String> sorted(List<String> ids) {
        return ids.stream().sorted().toList();
    }

    private Map<String, String> describeModel() {
        Map<String, String> all = new TreeMap<>();
        for (Map<String, Kept> stream : model.streams().values()) {
            for (Kept kept : stream.values()) {
                all.put(
                        kept.stream + "|" + kept.id,
                        kept.status + " " + kept.storedAt + " " + kept.occurredAt + " " + kept.completedAt + " "
                                + kept.ttl + " " + new TreeMap<>(kept.metadata) + " " + kept.payload.length);
            }
        }
        return all;
    }

    private static Map<String, String> describe(List<StoredEvent> events) {
        Map<String, String> all = new TreeMap<>();
        for (StoredEvent stored : events) {
            Event event = stored.event();
            all.put(
                    event.stream() + "|" + event.id(),
                    event.status() + " " + stored.storedAt() + " " + event.occurredAt() + " " + event.completedAt()
                            + " " + event.ttl() + " " + new TreeMap<>(event.metadata()) + " "
                            + event.payload().length);
        }
        return all;
    }

    private Event randomEvent() {
        long now = fixture.nowMs();
        return new Event(
                stream(),
                id(),
                "t",
                random.nextBoolean() ? null : STATUSES[random.nextInt(STATUSES.length)],
                random.nextInt(3) == 0 ? null : now - random.nextInt(100_000),
                random.nextInt(4) == 0 ? now - random.nextInt(100_000) : null,
                random.nextInt(3) == 0 ? ttl() : OwnTtl.NONE,
                0,
                random.nextBoolean() ? null : "corr",
                random.nextInt(4) == 0 ? Map.of("a", "b") : Map.of(),
                null,
                new byte[random.nextInt(50)]);
    }

    private OwnTtl ttl() {
        return switch (random.nextInt(4)) {
            case 0 -> OwnTtl.INFINITE;
            case 1 -> OwnTtl.of(null, fixture.nowMs() + random.nextInt(20_000) - 10_000, false);
            case 2 -> OwnTtl.NONE;
            default -> OwnTtl.of(1L + random.nextInt(100), null, false);
        };
    }

    private StreamName stream() {
        return new StreamName(STREAMS[random.nextInt(STREAMS.length)]);
    }

    private EventId id() {
        return new EventId("e" + random.nextInt(12));
    }

    private Scope scope() {
        return switch (random.nextInt(4)) {
            case 0 -> Scope.ALL;
            case 1 -> Scope.stream(STREAMS[random.nextInt(STREAMS.length)]);
            case 2 -> Scope.pattern(random.nextBoolean() ? "cache" : "mine");
            default -> Scope.namespace(stream().namespace());
        };
    }

    private RetentionPolicy randomPolicy(Scope scope) {
        long ttlBound = 1 + random.nextInt(50_000);
        return RetentionPolicy.of(scope)
                .maxAge(maybe(AGES[random.nextInt(AGES.length)]))
                .maxCount(maybe(1 + random.nextInt(6)))
                .maxBytes(maybe(100 + random.nextInt(800)))
                .anchor(random.nextInt(3) == 0 ? Anchor.values()[random.nextInt(3)] : null)
                .minTtl(random.nextInt(4) == 0 ? Limit.of(ttlBound) : null)
                .maxTtl(random.nextInt(4) == 0 ? Limit.of(ttlBound + random.nextInt(50_000)) : null)
                .allowInfiniteTtl(random.nextInt(3) == 0 ? random.nextBoolean() : null)
                .pattern(scope.kind() == Scope.Kind.NAMESPACE && random.nextBoolean() ? "mine" : null)
                .enabled(random.nextInt(8) == 0 ? random.nextBoolean() : null)
                .build();
    }

    private Limit maybe(long value) {
        int dice = random.nextInt(10);
        return dice < 5 ? null : dice == 5 ? Limit.NONE : Limit.of(value);
    }
}
