package dev.ebb.it;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.CommandRun;
import dev.ebb.cli.client.Json;
import dev.ebb.it.Deletions.Tombstone;
import dev.ebb.it.Deletions.Why;
import dev.ebb.it.Scenario.Results;
import dev.ebb.model.RetentionModel;
import dev.ebb.serde.NodeClient;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything together, after a bad day: real broker, registry, Connect, PostgreSQL and application, each in a process of
 * its own, several of them killed in the middle. {@code -Dtest.seed=N} plays another load.
 */
@Tag("I-7")
@Timeout(150)
@TestInstance(Lifecycle.PER_CLASS)
class RetentionIT {

    private static final long SEED = Long.getLong("test.seed", 20_261_121L);

    private static final String FOREIGN = "foreign/a";

    private RunningStack stack;
    private AvroRecords records;
    private Scenario scenario;
    private Load load;
    private Results results;
    private Map<String, List<String>> swept;

    @BeforeAll
    @Timeout(420)
    void playABadDay(@TempDir Path folder) throws Exception {
        long begin = System.nanoTime();
        System.out.println("RetentionIT: -Dtest.seed=" + SEED);
        stack = RunningStack.start(folder.resolve("stack"));
        records = AvroRecords.of(AvroSettings.of(
                Map.of(AvroSettings.URL, stack.services().endpoints().registryUrl())));
        records.prepare();
        load = new Load(
                SEED,
                System.currentTimeMillis(),
                records,
                stack.topics().events(),
                stack.topics().partitions());
        scenario = new Scenario(stack, load, records);
        results = scenario.run(folder);
        swept = load.model().sweep(System.currentTimeMillis());
        RunningStack.say("everything", begin);
    }

    @AfterAll
    void stop() {
        if (records != null) {
            records.close();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    @Tag("I-4")
    @Tag("A-14")
    @Tag("O-21")
    void shouldHoldInStoresAndTableWhatTheModelHolds() {
        // given
        List<EventRow> expected = load.model().streams().values().stream()
                .flatMap(stream -> stream.events.values().stream())
                .map(kept -> EventRow.ofModel(load.model(), kept))
                .toList();
        List<EventRow> actual = results.stored().events();

        // then
        assertThat(Differences.between(
                        "model",
                        expected,
                        "stores",
                        actual.stream().map(EventRow::withoutStoredAt).toList()))
                .isEmpty();
        assertThat(Differences.between("stores", actual, "SQL", results.sql().events()))
                .isEmpty();
        assertThat(Differences.between(
                        "stores", actual, "mirror topic", results.deletions().rows()))
                .isEmpty();
        assertThat(results.stored()).as("nothing is due").isEqualTo(results.storedWithExpired());
        assertThat(namespacesOf(actual)).hasSize(11);
    }

    @Test
    @Tag("I-3")
    void shouldCountExactlyWhatItHolds() {
        // then
        assertThat(Differences.between(
                        "usage",
                        results.storedWithExpired().usages(),
                        "recount",
                        results.storedWithExpired().recount()))
                .isEmpty();
        assertThat(eventsByNamespaceOfStatus())
                .isEqualTo(namespacesOf(results.storedWithExpired().events()));
    }

    @Test
    @Tag("I-1")
    @Tag("I-2")
    @Tag("M-4")
    void shouldDeleteWhatMustGoOnceAndNothingElse() {
        // given
        List<Tombstone> tombstones = results.deletions().tombstones();
        RetentionModel model = load.model();

        // then
        assertThat(results.deletions().faults()).isEmpty();
        assertThat(Differences.between(
                        "model",
                        load.expectedDeletions(swept),
                        "audit",
                        results.deletions().explained().stream()
                                .map(Why::causeAndKey)
                                .toList()))
                .isEmpty();
        assertThat(tombstones).hasSizeGreaterThan(load.expectedDeletions(swept).size() / 2);
        assertThat(tombstones)
                .filteredOn(tombstone -> tombstone.row().isProtected()
                        || model.isInfinite(tombstone.row().toKept()))
                .isEmpty();
        assertThat(tombstones)
                .filteredOn(tombstone ->
                        Set.of("TTL", "MAX_AGE").contains(tombstone.why().cause()))
                .filteredOn(tombstone -> !model.isDue(tombstone.row().toKept(), tombstone.timestampMs()))
                .isEmpty();
    }

    @Test
    @Tag("I-5")
    void shouldExplainEachDeletionInExactlyOneAuditRecord() {
        // given the explanations of events that came and went within a transaction, of which the mirror knows nothing
        Deletions deletions = results.deletions();
        List<Tombstone> tombstones = deletions.tombstones();
        List<Why> unseen = deletions.unseen();

        // then
        assertThat(deletions.explained()).hasSize(tombstones.size() + unseen.size());
        assertThat(deletions.auditedBytes())
                .isEqualTo(load.model().removals.stream()
                        .mapToLong(removal -> removal.event().size)
                        .sum());
        assertThat(Differences.between(
                        "audit", deletions.audits(), "SQL", results.sql().audits()))
                .isEmpty();
        assertThat(deletions.policyChanges()).hasSize(LoadPolicies.all().size() + 1);
    }

    /** Kills, aborted transactions and moves of tasks have left no gap, and no leaf that is no record. */
    @Test
    @Tag("T-8")
    @Tag("T-9")
    void shouldProveItsAuditByItsCheckpoints() throws Exception {
        // when
        CommandRun run = stack.run("audit", "verify", "-o", "json");

        // then
        assertThat(run.exitCode()).as(run.err() + run.out()).isZero();
        JsonNode trees = Json.parse(run.out()).path("trees");
        assertThat(trees.findValuesAsText("size").stream()
                        .mapToLong(Long::parseLong)
                        .sum())
                .isGreaterThanOrEqualTo(results.deletions().audits().size());
    }

    @Test
    @Tag("O-1")
    void shouldEndASweepThatWasCutOffByAnotherOne() {
        // given
        Set<String> reported = results.reports().stream()
                .map(report -> report.get("sweepId").toString())
                .collect(Collectors.toSet());
        Collection<Long> lastDeletesOfCutSweeps =
                results.deletions().lastDeletesOfSweepsNotIn(reported).values();

        // then
        long previous = 0;
        for (long kill : scenario.kills()) {
            long after = previous;
            assertThat(lastDeletesOfCutSweeps)
                    .as("sweeps that the kill at %s cut off", kill)
                    .anyMatch(last -> last > after && last <= kill);
            previous = kill;
        }
        assertThat(lastDeletesOfCutSweeps)
                .as("all others sent a report")
                .allMatch(last -> last <= scenario.kills().get(scenario.kills().size() - 1));
    }

    @Test
    @Tag("M-9")
    void shouldActUponAPolicyChangeWithoutARestart() {
        // given
        Map<String, Set<Long>> versions = results.deletions().tombstones().stream()
                .filter(tombstone -> tombstone.why().cause().equals("MAX_AGE"))
                .collect(groupingBy(
                        tombstone -> tombstone.why().scope(),
                        Collectors.mapping(tombstone -> tombstone.why().version(), Collectors.toSet())));

        // then
        assertThat(scenario.hasChangedPolicyWithoutRestart()).isTrue();
        assertThat(versions.get("namespace:shift")).as("the new version").hasSize(1);
        assertThat(versions.get("namespace:shift").iterator().next())
                .isGreaterThan(versions.get("namespace:age").iterator().next());
        assertThat(versions).containsEntry("pattern:cache", Set.of(-1L));
    }

    @Test
    @Tag("O-20")
    void shouldSetAsideWhatCannotBeUsedOnceWithItsReason() {
        // when
        Map<String, Long> reasons = results.rejected().stream()
                .map(record -> Deletions.header(record, EbbHeaders.REJECTED_REASON))
                .collect(groupingBy(identity(), TreeMap::new, counting()));

        // then
        assertThat(reasons)
                .isEqualTo(load.rejected().entrySet().stream()
                        .collect(Collectors.toMap(entry -> entry.getKey().name(), Map.Entry::getValue)));
    }

    @Test
    @Tag("M-17")
    @Tag("M-9")
    void shouldNeverShowADueEventAlthoughNoSweepComesBy() throws Exception {
        // given
        DueReads reads = new DueReads(stack);
        reads.storeEventsThatFallDueSoon();

        // when
        int seenAlive = reads.watch();

        // then
        assertThat(seenAlive).as("reads before the events were due").isGreaterThan(DueReads.EVENTS);
        assertThat(reads.shownByCommand()).isEqualTo(1);
        assertThat(reads.shownBySql()).isEqualTo(1);
        assertThat(reads.stored()).as("what no sweep has taken").isEqualTo(1 + DueReads.EVENTS);

        // when
        reads.sweepSoon();

        // then
        assertThat(reads.stored()).isEqualTo(1);
    }

    @Test
    @Tag("A-15")
    void shouldNameAndHealWhatSomebodyDidToTheMirror() throws Exception {
        // given
        MirrorHealing healing = new MirrorHealing(stack);
        healing.store();
        ExecutorService flow = Executors.newSingleThreadExecutor();
        var unused = flow.submit(healing::flow);

        // then: a bad day has left nothing behind, and what flows is no difference; it looks until the wait is over
        CommandRun equal = healing.verify("--wait", "20s");
        flow.shutdownNow();
        assertThat(MirrorHealing.named(equal)).isEmpty();
        assertThat(equal.exitCode()).as(equal.err()).isZero();

        // when
        String before = healing.rows();
        List<String> damage = healing.damage();
        CommandRun found = healing.verify();

        // then
        assertThat(MirrorHealing.named(found)).isEqualTo(damage);
        assertThat(found.exitCode()).as(found.err()).isEqualTo(3);

        // when
        healing.takeAway("stored_at = 'infinity'");
        CommandRun repaired = healing.verify("--repair", "--actor", "eva", "--reason", "by hand");

        // then
        assertThat(repaired.exitCode()).as(repaired.err() + repaired.out()).isZero();
        assertThat(healing.rows()).isEqualTo(before);
        CommandRun healed = healing.verify();
        assertThat(healed.exitCode()).as(healed.err() + healed.out()).isZero();
        assertThat(healing.text("SELECT min(actor || ' ' || reason) FROM retention_audit WHERE kind = 'REPAIR'"))
                .isEqualTo("eva by hand");
    }

    @Test
    @Tag("A-14")
    @Tag("A-15")
    void shouldCatchUpByItselfWhenSqlAndConnectWereAway() throws Exception {
        // given
        MirrorHealing healing = new MirrorHealing(stack);

        // when
        stack.services().postgres().stop();
        healing.send("while SQL was away");

        // then
        Await.until("status to show that the mirror is behind", () -> {
            JsonNode mirror = healing.mirror();
            return mirror.path("lag").asLong() > 0 ? "" : mirror.toString();
        });
        assertThat(healing.verify().exitCode()).as("not ready").isEqualTo(4);

        // when
        stack.services().postgres().start();
        stack.services().connect().kill();
        healing.send("while Connect was away");

        // then
        Await.until("status to show that Connect is away", () -> {
            JsonNode mirror = healing.mirror();
            return mirror.path("state").asText().equals("UNREACHABLE") ? "" : mirror.toString();
        });

        // when
        stack.services().connect().start();

        // then
        Await.until("the mirror to run without lag", () -> {
            JsonNode mirror = healing.mirror();
            boolean isQuiet = mirror.path("state").asText().equals("RUNNING")
                    && mirror.path("lag").asLong(-1) == 0;
            return isQuiet ? "" : mirror.toString();
        });
        CommandRun equal = healing.verify();
        assertThat(MirrorHealing.named(equal)).isEmpty();
        assertThat(equal.exitCode()).as(equal.err()).isZero();
        assertThat(healing.text("SELECT count(*) FROM event WHERE event_id LIKE 'while % was away'"))
                .isEqualTo("2");
    }

    @Test
    @Tag("O-13")
    void shouldObeyAForeignClient() throws Exception {
        // given
        NodeClient node = NodeClient.orSkip();
        long now = System.currentTimeMillis();

        // when
        node.produce(
                stack.services().endpoints().bootstrapServers(),
                stack.services().endpoints().registryUrl(),
                List.of(
                        NodeClient.record(
                                stack.topics().policies(),
                                "namespace:foreign",
                                "dev.ebb.RetentionPolicy",
                                Map.of("scope", "namespace:foreign", "maxAge", "1h", "anchor", "occurred")),
                        foreign("dev.ebb.Event", Map.of("id", "old", "occurredAt", now - 7_200_000)),
                        foreign("dev.ebb.Event", Map.of("id", "work", "occurredAt", now, "status", "pending")),
                        foreign("dev.ebb.EventUpdate", Map.of("id", "work", "status", "completed")),
                        foreign("dev.ebb.Event", Map.of("id", "late", "occurredAt", now - 7_200_000)),
                        foreign("dev.ebb.Event", Map.of("id", "fresh", "occurredAt", now))));

        // then
        Await.until("the foreign policy to act on foreign events", () -> {
            List<String> ids = Stored.eventsOf(stack.api(), FOREIGN, true).stream()
                    .map(row -> row.id() + " " + row.status())
                    .toList();
            return ids.equals(List.of("work completed", "fresh null")) ? "" : "stored are " + ids;
        });
    }

    private Map<String, Object> foreign(String subject, Map<String, Object> fields) {
        Map<String, Object> value = new TreeMap<>(fields);
        value.put("stream", FOREIGN);
        return NodeClient.record(stack.topics().events(), FOREIGN, subject, value);
    }

    private static Map<String, Long> namespacesOf(List<EventRow> rows) {
        return rows.stream().collect(groupingBy(RetentionIT::namespaceOf, TreeMap::new, counting()));
    }

    private static String namespaceOf(EventRow row) {
        int slash = row.stream().indexOf('/');
        return slash < 0 ? "default" : row.stream().substring(0, slash);
    }

    private Map<String, Long> eventsByNamespaceOfStatus() {
        Map<String, Long> events = new TreeMap<>();
        results.status().path("namespaces").properties().forEach(namespace -> {
            if (namespace.getValue().path("events").longValue() > 0) {
                events.put(
                        namespace.getKey(), namespace.getValue().path("events").longValue());
            }
        });
        return events;
    }
}
