package dev.ebb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutedEvent;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.retention.RetentionDecider;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tables, partitions and views in a real PostgreSQL; rows are written by hand, as no sink is there. */
class SqlMirrorIT {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00.500Z");
    private static final long NOW_MS = NOW.toEpochMilli();

    private static final List<Anchor> ANCHORS = List.of(Anchor.STORED, Anchor.OCCURRED, Anchor.COMPLETED);

    private static EmbeddedPostgres postgres;
    private static DataSource dataSource;
    private Connection connection;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
        dataSource = postgres.getPostgresDatabase();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    @BeforeEach
    void makeTables() throws SQLException {
        connection = dataSource.getConnection();
        execute("DROP SCHEMA public CASCADE");
        execute("CREATE SCHEMA public");
        new Migrations(dataSource).migrate();
        execute("SET ebb.now = '" + NOW + "'");
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
    }

    @Test
    @Tag("A-12")
    void shouldMakeTheTablesOnceOnly() {
        assertThat(new Migrations(dataSource).migrate()).isZero();
    }

    @Test
    @Tag("A-12")
    void shouldLiveBesideTablesOfSomebodyElse() throws Exception {
        // given
        execute("DROP SCHEMA public CASCADE");
        execute("CREATE SCHEMA public");
        execute("CREATE TABLE theirs (id int)");

        // then
        try (Stream<Path> migrations = Files.list(Path.of("config/sql"))) {
            assertThat(new Migrations(dataSource).migrate()).isEqualTo((int) migrations.count());
        }
    }

    @Test
    @Tag("A-12")
    void shouldSayWhenItCannotReachTheDatabase() {
        // given
        SqlSettings nowhere =
                new SqlSettings("jdbc:postgresql://127.0.0.1:1/ebb", "ebb", "secret", java.util.Optional.empty());

        // then
        assertThatThrownBy(() -> new Migrations(nowhere.dataSource()).migrate())
                .isInstanceOf(SqlMirrorException.class)
                .hasMessageContaining("cannot make the tables of the mirror")
                .hasMessageNotContaining("secret");
    }

    @Test
    @Tag("A-12")
    void shouldExplainEveryTableViewAndColumn() throws SQLException {
        // when
        List<String> unexplained = texts("SELECT c.relname || '.' || a.attname FROM pg_class c"
                + " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0"
                + " WHERE c.relname IN ('event', 'retention_policy', 'retention_audit', 'live_event',"
                + " 'retention_policy_status', 'retention_hold', 'execution', 'executed_event', 'mirror_refused') AND (col_description(c.oid, a.attnum) IS NULL"
                + " OR obj_description(c.oid) IS NULL)");

        // then
        assertThat(unexplained).isEmpty();
    }

    @Test
    @Tag("A-13")
    void shouldMakeThePartitionsOfFourMonths() throws SQLException {
        // when
        partitions(NOW).maintain();

        // then
        assertThat(children())
                .containsExactlyInAnyOrder(
                        "event_default", "event_2026_11", "event_2026_12", "event_2027_01", "event_2027_02");
        insert(event("s", "first").at("2026-11-01T00:00:00Z"));
        insert(event("s", "last").at("2026-11-30T23:59:59.999Z"));
        insert(event("s", "other").at("2026-10-31T23:59:59.999Z"));
        assertThat(texts("SELECT event_id FROM event_2026_11")).containsExactlyInAnyOrder("first", "last");
        assertThat(texts("SELECT event_id FROM event_default")).containsExactly("other");
        assertThat(texts("SELECT count(*) FROM pg_class WHERE relname LIKE 'event\\_20%' AND relkind = 'r'"
                        + " AND 'autovacuum_vacuum_scale_factor=0.02' = ANY (reloptions)"))
                .containsExactly("4");
    }

    @Test
    @Tag("A-13")
    void shouldMoveRowsOfTheDefaultPartitionIntoTheNewOne() throws SQLException {
        // given
        insert(event("s", "a").at("2026-12-05T00:00:00Z"));
        insert(event("s", "b").at("2099-12-05T00:00:00Z"));

        // when
        partitions(NOW).maintain();

        // then
        assertThat(texts("SELECT event_id FROM event_2026_12")).containsExactly("a");
        assertThat(texts("SELECT event_id FROM event_default")).containsExactly("b");
    }

    @Test
    @Tag("A-13")
    void shouldDropOnlyWhatIsPastAndEmpty() throws SQLException {
        // given
        partitions(Instant.parse("2026-05-10T00:00:00Z")).maintain();
        insert(event("s", "old").at("2026-06-05T00:00:00Z").status("pending"));

        // when
        partitions(NOW).maintain();

        // then
        assertThat(children())
                .containsExactlyInAnyOrder(
                        "event_default",
                        "event_2026_06",
                        "event_2026_11",
                        "event_2026_12",
                        "event_2027_01",
                        "event_2027_02");
    }

    @Test
    @Tag("A-13")
    void shouldGiveWayToAWriterAndDropLater() throws Exception {
        // given
        partitions(Instant.parse("2026-05-10T00:00:00Z")).maintain();
        var worker = Executors.newSingleThreadExecutor();
        var isAtIt = new CountDownLatch(1);
        try (Connection writer = dataSource.getConnection()) {
            writer.setAutoCommit(false);
            writer.createStatement().execute("DELETE FROM event WHERE stored_at = now()");

            // when
            var maintenance = worker.submit(() -> {
                isAtIt.countDown();
                return partitions(NOW).maintain();
            });
            isAtIt.await();

            // then
            long slowest = 0;
            for (int i = 0; i < 20; i++) {
                long start = System.nanoTime();
                insert(event("s", "e" + i).at("2026-11-21T09:00:00Z"));
                slowest = Math.max(slowest, System.nanoTime() - start);
            }
            assertThat(Duration.ofNanos(slowest)).isLessThan(Duration.ofSeconds(2));
            assertThat(maintenance.isDone()).isFalse();
            writer.commit();
            assertThat(maintenance.get(60, TimeUnit.SECONDS)).isTrue();
            assertThat(children()).doesNotContain("event_2026_05");
        } finally {
            worker.shutdownNow();
        }
    }

    @Test
    @Tag("A-13")
    void shouldPutTheMillisecondsAroundEachMonthWhereTheyBelong() throws SQLException {
        // given
        partitions(NOW).maintain();

        // then
        for (String month : List.of("2026-11", "2026-12", "2027-01", "2027-02", "2027-03")) {
            Instant first = Instant.parse(month + "-01T00:00:00Z");
            insert(event(month, "below").at(first.minusMillis(1)));
            insert(event(month, "first").at(first));
            insert(event(month, "above").at(first.plusMillis(1)));
        }
        assertThat(texts(
                        "SELECT tableoid::regclass || ' ' || string_agg(stream || ' ' || event_id, ', ' ORDER BY stored_at)"
                                + " FROM event GROUP BY tableoid ORDER BY 1"))
                .containsExactly(
                        "event_2026_11 2026-11 first, 2026-11 above, 2026-12 below",
                        "event_2026_12 2026-12 first, 2026-12 above, 2027-01 below",
                        "event_2027_01 2027-01 first, 2027-01 above, 2027-02 below",
                        "event_2027_02 2027-02 first, 2027-02 above, 2027-03 below",
                        "event_default 2026-11 below, 2027-03 first, 2027-03 above");
    }

    @Test
    @Tag("A-13")
    void shouldLetEveryInsertThroughWhileSomebodyElseHoldsItUp() throws Exception {
        // given: a long read, such as a backup
        partitions(Instant.parse("2026-05-10T00:00:00Z")).maintain();
        var worker = Executors.newSingleThreadExecutor();
        try (Connection reader = dataSource.getConnection()) {
            reader.setAutoCommit(false);
            reader.createStatement().execute("SELECT count(*) FROM event");

            // when: a wait of more than ten lock timeouts fails
            execute("SET lock_timeout = '1s'");
            var maintenance = worker.submit(() -> limited(3, 100, 100).maintain());
            int inserts = 0;
            while (!maintenance.isDone()) {
                insert(event("s", "now" + inserts).at("2026-11-21T09:00:00Z"));
                insert(event("s", "old" + inserts++).at("2026-06-21T09:00:00Z"));
                execute("DELETE FROM event WHERE stored_at = '2026-06-21T09:00:00Z' AND stream = 's'");
            }

            // then: it has given up, and goes on where it was
            assertThat(maintenance.get()).isTrue();
            assertThat(inserts).isPositive();
            assertThat(children()).contains("event_2026_05").doesNotContain("event_2026_12");
            reader.commit();
            partitions(NOW).maintain();
            assertThat(children()).contains("event_2026_12").doesNotContain("event_2026_05", "event_2026_06");
        } finally {
            worker.shutdownNow();
        }
    }

    @Test
    @Tag("A-13")
    void shouldNeverDropARowThatComesBetweenTheLookAndTheLock() throws Exception {
        // given: a transaction of this database sees the rows of its beginning, not the ones behind a lock
        partitions(Instant.parse("2026-05-10T00:00:00Z")).maintain();
        partitions(NOW).maintain();
        execute("SELECT ebb_create_event_partition('2026-10-01')");
        execute("ALTER DATABASE postgres SET default_transaction_isolation = 'repeatable read'");
        var worker = Executors.newSingleThreadExecutor();
        try (Connection writer = dataSource.getConnection()) {
            writer.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            writer.setAutoCommit(false);
            writer.createStatement()
                    .execute(
                            "INSERT INTO event SELECT '2026-10-31 23:59:59.999Z', 's', 'late', 'default', '', NULL, true,"
                                    + " now(), now(), NULL, false, NULL, 0, NULL, NULL, '{}', '', 64");

            // when: it is committed while the drop waits for its lock
            var maintenance = worker.submit(() -> partitions(NOW).maintain());
            while (texts("SELECT pid FROM pg_locks WHERE NOT granted").isEmpty()) {
                assertThat(maintenance.isDone()).isFalse();
            }
            writer.commit();
            maintenance.get(60, TimeUnit.SECONDS);

            // then
            assertThat(texts("SELECT event_id FROM event_2026_10")).containsExactly("late");
        } finally {
            execute("ALTER DATABASE postgres RESET default_transaction_isolation");
            worker.shutdownNow();
        }
    }

    @Test
    @Tag("A-13")
    void shouldNotLockTheDefaultPartitionForMoreRowsThanItMay() throws SQLException {
        // given
        for (int i = 0; i < 3; i++) {
            insert(event("s", "e" + i).at("2026-12-05T00:00:00Z"));
        }

        // when / then: one too many
        limited(1, 2, 100).maintain();
        assertThat(children()).contains("event_2026_11", "event_2027_01").doesNotContain("event_2026_12");
        assertThat(texts("SELECT count(*) FROM event")).containsExactly("3");

        // when / then: too many to be read
        limited(1, 3, 2).maintain();
        assertThat(children()).doesNotContain("event_2026_12");

        // when / then: as many as may be
        limited(1, 3, 3).maintain();
        assertThat(texts("SELECT count(*) FROM event_2026_12")).containsExactly("3");
        assertThat(texts("SELECT count(*) FROM event_default")).containsExactly("0");
    }

    @Test
    @Tag("A-13")
    void shouldLeaveTheWorkToAnotherInstanceThatIsAtIt() throws SQLException {
        // given
        execute("SELECT pg_advisory_lock(" + 0x65_62_62_70_61_72_74L + ")");

        // then
        assertThat(partitions(NOW).maintain()).isFalse();
        execute("SELECT pg_advisory_unlock_all()");
        assertThat(partitions(NOW).maintain()).isTrue();
    }

    @Test
    @Tag("M-17")
    @Tag("M-13")
    void shouldShowAnEventUntilTheMillisecondItIsDue() throws SQLException {
        // given
        policy(Scope.ALL, p -> p.maxAge(Limit.of(1000)));
        insert(event("s", "before").at(NOW.minusMillis(999)));
        insert(event("s", "at").at(NOW.minusMillis(1000)));
        insert(event("s", "after").at(NOW.minusMillis(1001)));

        // then
        assertThat(live()).containsExactlyInAnyOrder("before", "at");
    }

    @Test
    @Tag("M-4")
    void shouldShowProtectedEventsHoweverOld() throws SQLException {
        // given
        policy(Scope.ALL, p -> p.maxAge(Limit.of(1)).anchor(Anchor.COMPLETED));
        insert(event("s", "pending").at("1999-01-01T00:00:00Z").status("pending"));

        // then
        assertThat(live()).containsExactly("pending");
    }

    @Test
    @Tag("M-7")
    void shouldShowNothingLessWhenARecordIsDisabled() throws SQLException {
        // given
        policy(Scope.namespace("a"), p -> p.maxAge(Limit.of(1)).enabled(false));
        insert(event("a/1", "e").at(NOW.minusMillis(1000)));

        // then
        assertThat(live()).containsExactly("e");
    }

    @Test
    @Tag("M-7")
    @Tag("M-10")
    @Tag("M-17")
    void shouldAgreeWithTheDecisionOfTheApplication() throws SQLException {
        Random random = new Random(20261121);
        for (int round = 0; round < 40; round++) {
            // given
            execute("TRUNCATE event, execution, retention_policy");
            PolicySet policies = randomPolicies(random);
            Map<String, Execution> executions = randomExecutions(random);
            Set<String> expected = new HashSet<>();
            for (int i = 0; i < 60; i++) {
                Row row = randomEvent(random, "e" + i);
                insert(row);
                StoredEvent stored = row.stored();
                if (!RetentionDecider.isDue(
                        executed(stored, executions), policies.effective(stored.event().stream()), NOW_MS)) {
                    expected.add("e" + i);
                }
            }

            // then
            assertThat(new HashSet<>(live())).as("round %d", round).isEqualTo(expected);
        }
    }

    @Test
    @Tag("M-5")
    void shouldShowAnEventOfAnExecutionAsTheExecutionMakesIt() throws SQLException {
        // given
        policy(Scope.ALL, p -> p.maxAge(Limit.of(1000)).anchor(Anchor.COMPLETED));
        for (int execution = 0; execution <= 4; execution++) {
            insert(event("s", "e" + execution).at(NOW.minusMillis(5000)).of(execution));
        }
        insert(event("s", "pending").at(NOW.minusMillis(5000)).of(1).status("pending"));
        insertExecution("s", 0, true, NOW_MS);
        insertExecution("s", 1, true, NOW_MS - 1001);
        insertExecution("s", 2, true, NOW_MS - 1000);
        insertExecution("s", 3, false, null);

        // then
        assertThat(texts("SELECT event_id || ' ' || terminal || ' '"
                        + " || coalesce((ebb_ms(ebb_now()) - ebb_ms(completed_at))::int::text, '-')"
                        + " FROM live_event ORDER BY event_id"))
                .containsExactly("e2 true 1000", "e3 false -", "e4 false 5000", "pending false 1001");
    }

    @Test
    @Tag("A-12")
    void shouldCountTheEventsOfEachScope() throws SQLException {
        // given
        policy(Scope.ALL, p -> p.maxAge(Limit.NONE));
        policy(Scope.namespace("a"), p -> p.set(PolicyField.PATTERN, "cache"));
        policy(Scope.pattern("cache"), p -> p.maxAge(Limit.of(1)));
        policy(Scope.pattern("graph"), p -> p.maxAge(Limit.NONE));
        policy(Scope.stream("a/2"), p -> p.maxCount(Limit.of(1)));
        insert(event("a/1", "e").at(NOW.minusSeconds(30)));
        insert(event("a/2", "e").at(NOW.minusSeconds(20)));
        insert(event("b", "e").at(NOW.minusSeconds(10)));

        // then
        assertThat(texts(
                        "SELECT scope || ' ' || current_events || ' ' || coalesce(extract(epoch FROM oldest_age)::int, -1)"
                                + " FROM retention_policy_status ORDER BY scope COLLATE \"C\""))
                .containsExactly(
                        "* 3 30", "namespace:a 2 30", "pattern:cache 2 30", "pattern:graph 0 -1", "stream:a/2 1 20");
    }

    @Test
    @Tag("I-5")
    void shouldFindWhyAnEventWentByStreamAndTime() throws SQLException {
        // given
        execute("INSERT INTO retention_audit (audit_id, kind, stream, cause, event_ids, events, bytes, deleted_at)"
                + " SELECT 'a' || i, 'DELETE', 's', 'TTL', jsonb_build_array('e' || i, 'f' || i), 2, 1,"
                + " now() - i * interval '1 s' FROM generate_series(1, 2000) i");
        execute("SET enable_seqscan = off; SET enable_bitmapscan = off");

        // then
        String query = "FROM retention_audit WHERE stream = 's' AND event_ids @> '[\"f7\"]'"
                + " AND deleted_at BETWEEN now() - interval '1 min' AND now()";
        assertThat(texts("SELECT audit_id " + query)).containsExactly("a7");
        assertThat(String.join("\n", texts("EXPLAIN SELECT audit_id " + query))).contains("retention_audit_by_stream");
    }

    @Test
    @Tag("A-13")
    void shouldKeepOnlyProtectedEventsInTheIndexByStatus() throws SQLException {
        assertThat(texts("SELECT indexdef FROM pg_indexes WHERE indexname = 'event_by_status'"))
                .singleElement()
                .asString()
                .endsWith("WHERE (NOT terminal)");
    }

    private static EventPartitions partitions(Instant now) {
        return new EventPartitions(dataSource, Clock.fixed(now, ZoneOffset.UTC));
    }

    private static EventPartitions limited(int attempts, int movedRows, int readRows) {
        var limits = new EventPartitions.Limits(attempts, movedRows, readRows);
        return new EventPartitions(dataSource, Clock.fixed(NOW, ZoneOffset.UTC), limits);
    }

    private List<String> children() throws SQLException {
        return texts("SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'event'::regclass");
    }

    private List<String> live() throws SQLException {
        return texts("SELECT event_id FROM live_event");
    }

    /** The executions of two streams by stream and number; of the others none is declared. */
    private Map<String, Execution> randomExecutions(Random random) throws SQLException {
        Map<String, Execution> executions = new HashMap<>();
        for (String stream : List.of("a/1", "b")) {
            for (int number = 1; number <= 2; number++) {
                boolean isTerminal = random.nextInt(3) > 0;
                Long completedAt = isTerminal ? (Long) (NOW_MS - around(random)) : null;
                insertExecution(stream, number, isTerminal, completedAt);
                executions.put(stream + number, new Execution(number, "x", isTerminal, null, completedAt));
            }
        }
        return executions;
    }

    private static EventFacts executed(StoredEvent stored, Map<String, Execution> executions) {
        long number = stored.event().execution();
        String key = stored.event().stream().value() + number;
        return number == 0
                ? stored
                : new ExecutedEvent(stored, executions.getOrDefault(key, Execution.undeclared(number)));
    }

    private void insertExecution(String stream, long number, boolean isTerminal, @Nullable Long completedAt)
            throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO execution (stream, execution, status, terminal, completed_at)"
                        + " VALUES (?, ?, 'x', ?, ?)")) {
            insert.setString(1, stream);
            insert.setLong(2, number);
            insert.setBoolean(3, isTerminal);
            insert.setObject(
                    4,
                    completedAt == null
                            ? null
                            : Instant.ofEpochMilli(completedAt).atOffset(ZoneOffset.UTC));
            insert.executeUpdate();
        }
    }

    private PolicySet randomPolicies(Random random) throws SQLException {
        Map<Scope, VersionedPolicy> records = new HashMap<>();
        BuiltInPolicies builtIn = new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE);
        List<Scope> scopes = List.of(
                Scope.ALL,
                Scope.pattern("cache"),
                Scope.pattern("own"),
                Scope.namespace("a"),
                Scope.namespace("b"),
                Scope.stream("a/1"),
                Scope.stream("b"));
        for (Scope scope : scopes) {
            if (random.nextInt(3) > 0) {
                records.put(scope, new VersionedPolicy(randomPolicy(random, scope), 1, 0));
            }
        }
        Set<Scope> all = new HashSet<>(builtIn.all().keySet());
        all.addAll(records.keySet());
        for (Scope scope : all) {
            insertPolicy(scope, records.get(scope), builtIn.all().get(scope));
        }
        return new PolicySet(records, builtIn, 1);
    }

    private static RetentionPolicy randomPolicy(Random random, Scope scope) {
        return RetentionPolicy.of(scope)
                .maxAge(randomLimit(random))
                .set(PolicyField.MIN_TTL, randomLimit(random))
                .set(PolicyField.MAX_TTL, randomLimit(random))
                .anchor(random.nextInt(3) > 0 ? null : ANCHORS.get(random.nextInt(3)))
                .set(PolicyField.ALLOW_INFINITE_TTL, random.nextInt(3) > 0 ? null : random.nextBoolean())
                .set(
                        PolicyField.PATTERN,
                        scope.kind() != Scope.Kind.NAMESPACE || random.nextInt(3) == 0
                                ? null
                                : random.nextBoolean() ? "cache" : "own")
                .enabled(random.nextInt(5) > 0 ? null : false)
                .build();
    }

    private static @Nullable Limit randomLimit(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> Limit.NONE;
            case 1 -> Limit.of(Long.MAX_VALUE - 1);
            case 2, 3 -> Limit.of(1000 + random.nextInt(4) * 1000);
            default -> null;
        };
    }

    private static Row randomEvent(Random random, String id) {
        String[] streams = {"a/1", "a/2", "b/1", "b", "c", "own/1"};
        Row row = event(streams[random.nextInt(streams.length)], id).at(NOW.minusMillis(around(random)));
        row.occurredAt = NOW.minusMillis(around(random));
        row.completedAt = NOW.minusMillis(around(random));
        switch (random.nextInt(6)) {
            case 0 -> row.ttl = OwnTtl.of(1L + random.nextInt(4), null, false);
            case 1 -> row.ttl = OwnTtl.of(null, NOW_MS + 1 - random.nextInt(3), false);
            case 2 -> row.ttl = OwnTtl.INFINITE;
            case 3 -> row.ttl = OwnTtl.of(Long.MAX_VALUE, null, false);
            default -> row.ttl = OwnTtl.NONE;
        }
        row.of(Math.max(0, random.nextInt(6) - 2));
        return random.nextInt(8) > 0 ? row : row.status("pending");
    }

    /** Ages around whole seconds, where limits and TTLs are. */
    private static long around(Random random) {
        return random.nextInt(6) * 1000L + random.nextInt(3) - 1;
    }

    private interface Change {
        RetentionPolicy.Builder to(RetentionPolicy.Builder policy);
    }

    private void policy(Scope scope, Change change) throws SQLException {
        RetentionPolicy policy = change.to(RetentionPolicy.of(scope)).build();
        insertPolicy(scope, new VersionedPolicy(policy, 1, 0), null);
    }

    /** As the application writes it: an enabled record over its built-in policy, else the built-in one. */
    private void insertPolicy(Scope scope, @Nullable VersionedPolicy record, @Nullable RetentionPolicy builtIn)
            throws SQLException {
        boolean counts = record != null && (record.policy().isEnabled() || builtIn == null);
        RetentionPolicy declared = counts ? record.policy() : builtIn;
        RetentionPolicy policy = builtIn == null ? declared : declared.orElse(builtIn);
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO retention_policy (scope, built_in, max_age_ms, max_count, min_ttl_ms, max_ttl_ms, anchor,"
                        + " allow_infinite_ttl, pattern, enabled, updated_at, policy)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, now(), '{}')")) {
            insert.setString(1, scope.toString());
            insert.setBoolean(2, !counts);
            set(insert, 3, policy.get(PolicyField.MAX_AGE));
            set(insert, 4, policy.get(PolicyField.MAX_COUNT));
            set(insert, 5, policy.get(PolicyField.MIN_TTL));
            set(insert, 6, policy.get(PolicyField.MAX_TTL));
            Anchor anchor = policy.get(PolicyField.ANCHOR);
            insert.setString(7, anchor == null ? null : anchor.text());
            insert.setObject(8, policy.get(PolicyField.ALLOW_INFINITE_TTL), Types.BOOLEAN);
            insert.setString(9, declared.pattern());
            insert.setBoolean(10, declared.isEnabled());
            insert.executeUpdate();
        }
    }

    private static void set(PreparedStatement insert, int index, @Nullable Limit limit) throws SQLException {
        insert.setObject(index, limit == null ? null : limit.value(), Types.BIGINT);
    }

    private static Row event(String stream, String id) {
        return new Row(stream, id);
    }

    private void insert(Row row) throws SQLException {
        StoredEvent stored = row.stored();
        Event event = stored.event();
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO event (stored_at, stream, event_id, namespace, type, status, terminal, occurred_at,"
                        + " completed_at, ttl_seconds, no_expiration, expires_at, execution, metadata, payload, size_bytes)"
                        + " VALUES (?, ?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?, ?, '{}', '', 64)")) {
            insert.setObject(1, row.storedAt.atOffset(ZoneOffset.UTC));
            insert.setString(2, row.stream);
            insert.setString(3, row.id);
            insert.setString(4, event.stream().namespace());
            insert.setString(5, event.status());
            insert.setBoolean(6, !stored.isProtected());
            insert.setObject(7, row.occurredAt.atOffset(ZoneOffset.UTC));
            insert.setObject(8, event.completedAt() == null ? null : row.completedAt.atOffset(ZoneOffset.UTC));
            insert.setObject(9, event.ttl().ttlSeconds(), Types.BIGINT);
            insert.setBoolean(10, event.ttl().noExpiration());
            Long expiresAt = event.ttl().expiresAt();
            insert.setObject(
                    11,
                    expiresAt == null ? null : Instant.ofEpochMilli(expiresAt).atOffset(ZoneOffset.UTC));
            insert.setLong(12, event.execution());
            insert.executeUpdate();
        }
    }

    private List<String> texts(String query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (var statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A row of the table of events, completed when it was stored unless a test says otherwise. */
    private static final class Row {

        private final String stream;
        private final String id;
        private Instant storedAt = NOW;
        private Instant occurredAt = NOW;
        private Instant completedAt = NOW;
        private @Nullable String status;
        private long execution;
        private OwnTtl ttl = OwnTtl.NONE;

        Row(String stream, String id) {
            this.stream = stream;
            this.id = id;
        }

        Row at(String time) {
            return at(Instant.parse(time));
        }

        Row at(Instant time) {
            storedAt = time;
            occurredAt = time;
            completedAt = time;
            return this;
        }

        Row of(long number) {
            execution = number;
            return this;
        }

        Row status(String value) {
            status = value;
            return this;
        }

        StoredEvent stored() {
            boolean isProtected = status != null;
            Event event = new Event(
                    new StreamName(stream),
                    new EventId(id),
                    "",
                    status,
                    occurredAt.toEpochMilli(),
                    isProtected ? null : completedAt.toEpochMilli(),
                    ttl,
                    execution,
                    null,
                    Map.of(),
                    null,
                    new byte[0]);
            return new StoredEvent(event, storedAt.toEpochMilli(), 0, isProtected);
        }
    }
}
