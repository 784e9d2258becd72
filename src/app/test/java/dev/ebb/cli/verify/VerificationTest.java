package dev.ebb.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowsDigest;
import dev.ebb.topology.wire.StreamPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The comparison against two sides in memory, between which rows travel as slowly as the test wants. */
@Tag("A-15")
class VerificationTest {

    private static final Instant T0 = Instant.parse("2026-11-30T10:00:00Z");

    private final TwoSides sides = new TwoSides();
    private final Findings findings = new Findings(1000);
    private Consumer<Duration> passing = time -> {};
    private Duration patience = Duration.ofMinutes(1);

    @Test
    void shouldFindNothingWhereBothAreEqual() {
        // given
        for (int i = 0; i < 20; i++) {
            sides.both("s" + i, "e" + i, "1");
        }
        sides.both("😀", "e", "1");
        sides.both("\uFFFDz", "e", "1");

        // then: names are compared as bytes, in which an emoji stands behind U+FFFD
        assertThat(run(false)).isEqualTo(ExitCode.OK);
        assertThat(findings.view(false).path("equal").asBoolean()).isTrue();
        assertThat(findings.view(false).at("/event/stored").asLong()).isEqualTo(22);
        assertThat(findings.view(false).at("/event/sql").asLong()).isEqualTo(22);
        assertThat(sides.detailed).as("groups that were looked into").isEmpty();
    }

    @Test
    void shouldCountDifferencesOnTheWayOnlyOnceTheyAreKnown() {
        // given: the sides are compared to their end while nothing of what differs is certain
        sides.both("a", "same", "1");
        sides.store.put(key("b", "lost"), "1");
        List<String> shown = new ArrayList<>();
        passing = time -> shown.add(VerifyRun.progress("waiting", findings));

        // when
        run(false);

        // then
        assertThat(shown).isNotEmpty().allMatch(line -> line.equals("waiting; 2 streams compared"));
        assertThat(VerifyRun.progress("done", findings)).isEqualTo("done; 2 streams compared, 1 difference so far");
    }

    @Test
    void shouldNameEachKindOfDifferenceAndLookNowhereElse() {
        // given
        sides.both("a", "same", "1");
        sides.both("b", "same", "1");
        sides.store.put(key("b", "lost"), "1");
        sides.sql.put(key("c", "bogus"), "1");
        sides.store.put(key("d", "changed"), "1");
        sides.sql.put(key("d", "changed"), "2");
        sides.sql.put(key("", "nameless"), "1");

        // then
        assertThat(run(false)).isEqualTo(ExitCode.DIFFERENCES);
        assertThat(named())
                .containsExactly(
                        " nameless TOO_MANY_IN_SQL",
                        "b lost MISSING_IN_SQL",
                        "c bogus TOO_MANY_IN_SQL",
                        "d changed DIFFERS");
        assertThat(sides.detailed).containsExactly("", "b", "c", "d");
    }

    @Test
    void shouldNotTakeWhatIsOnItsWayForADifference() {
        // given: an insert, a delete and an update that SQL gets while it is waited
        sides.store.put(key("a", "new"), "1");
        sides.sql.put(key("b", "old"), "1");
        sides.store.put(key("c", "updated"), "2");
        sides.sql.put(key("c", "updated"), "1");
        passing = time -> sides.deliver();

        // then
        assertThat(run(false)).isEqualTo(ExitCode.OK);
        assertThat(findings.view(false).path("equal").asBoolean()).isTrue();
    }

    @Test
    void shouldGoOnLookingAtARowThatChangedMeanwhile() {
        // given: each look comes too late for what was stored at the one before
        sides.store.put(key("a", "hot"), "1");
        int[] looks = {0};
        passing = time -> {
            sides.deliver();
            if (looks[0]++ < 3) {
                sides.store.put(key("a", "hot"), "v" + looks[0]);
            }
        };

        // then
        assertThat(run(false)).isEqualTo(ExitCode.OK);
        assertThat(findings.view(false).path("moving").asLong()).isZero();
    }

    @Test
    void shouldSayWhatWasStillMoving() {
        // given
        sides.store.put(key("a", "hot"), "0");
        int[] looks = {0};
        passing = time -> {
            sides.deliver();
            sides.store.put(key("a", "hot"), "v" + looks[0]++);
        };

        // then: the sinks have kept up all the time
        assertThat(run(false)).isEqualTo(ExitCode.OK);
        assertThat(findings.view(false).path("moving").asLong()).isEqualTo(1);
        assertThat(findings.view(false).path("mirrorBehind").asBoolean()).isFalse();
    }

    @Test
    void shouldNotTellADifferenceFromAMirrorThatIsBehind() {
        // given
        sides.store.put(key("a", "new"), "1");
        sides.isBehind = true;
        patience = Duration.ofSeconds(5);

        // then
        assertThat(run(false)).isEqualTo(ExitCode.NOT_READY);
        assertThat(named()).isEmpty();
        assertThat(findings.view(false).path("equal").asBoolean()).isFalse();
        assertThat(findings.view(false).path("mirrorBehind").asBoolean()).isTrue();
    }

    @Test
    void shouldWaitForRowsThatTheStoreStillTakesAway() {
        // given
        sides.sql.put(key("a", "retired"), "1");
        sides.isEmptying = true;
        int[] passes = {0};
        passing = time -> {
            if (++passes[0] == 3) {
                sides.deliver();
                sides.isEmptying = false;
            }
        };

        // then
        assertThat(run(false)).isEqualTo(ExitCode.OK);
    }

    @Test
    void shouldRepairWhatDiffersAndNothingElse() {
        // given
        sides.both("a", "same", "1");
        sides.store.put(key("b", "lost"), "1");
        sides.sql.put(key("c", "bogus"), "1");

        // then
        assertThat(run(true)).isEqualTo(ExitCode.OK);
        assertThat(sides.repaired).containsExactly("b lost", "c bogus");
        ObjectNode view = findings.view(true);
        assertThat(view.path("differences").asLong()).isEqualTo(2);
        assertThat(view.at("/repair/rowsSent").asLong()).isEqualTo(1);
        assertThat(view.at("/repair/rowsRemoved").asLong()).isEqualTo(1);
        assertThat(view.at("/repair/unhealed").asLong()).isZero();
    }

    @Test
    void shouldSayWhatCannotBeRepaired() {
        // given
        sides.sql.put(key("", "nameless"), "1");

        // then
        assertThat(run(true)).isEqualTo(ExitCode.DIFFERENCES);
        assertThat(sides.repaired).isEmpty();
        assertThat(findings.view(true).at("/repair/unhealed").asLong()).isEqualTo(1);
    }

    @Test
    void shouldNameOnlySoManyAndCountTheRest() {
        // given
        for (int i = 0; i < 1001; i++) {
            sides.store.put(key("a", "e" + i), "1");
        }

        // when
        run(false);

        // then
        assertThat(findings.view(false).path("rows")).hasSize(1000);
        assertThat(findings.view(false).path("rowsLeftOut").asLong()).isEqualTo(1);
        assertThat(findings.view(false).path("differences").asLong()).isEqualTo(1001);
    }

    private ExitCode run(boolean isRepair) {
        new Verification(sides, time -> passing.accept(time), patience, isRepair, findings).run();
        return findings.exitCode();
    }

    private List<String> named() {
        List<String> names = new ArrayList<>();
        findings.view(false)
                .path("rows")
                .forEach(row -> names.add(row.path("stream").asText() + " "
                        + row.path("eventId").asText() + " " + row.path("what").asText()));
        return names;
    }

    private static Key key(String stream, String id) {
        return new Key(stream, id);
    }

    private record Key(String stream, String id) {}

    private static final class TwoSides implements Sides {

        final Map<Key, String> store = new TreeMap<>(
                Comparator.comparing(Key::stream, StreamRows.BY_BYTES).thenComparing(Key::id));
        final Map<Key, String> sql = new TreeMap<>(
                Comparator.comparing(Key::stream, StreamRows.BY_BYTES).thenComparing(Key::id));
        final List<String> detailed = new ArrayList<>();
        final List<String> repaired = new ArrayList<>();
        boolean isBehind;
        boolean isEmptying;

        void both(String stream, String id, String value) {
            store.put(key(stream, id), value);
            sql.put(key(stream, id), value);
        }

        void deliver() {
            sql.clear();
            sql.putAll(store);
        }

        @Override
        public int partitions() {
            return 3;
        }

        @Override
        public String mark() {
            return "m";
        }

        @Override
        public boolean hasPassed(String mark) {
            return !isBehind;
        }

        @Override
        public Iterator<StreamRows> stored(int partition, MirrorTable table) {
            return rows(table, store).stream()
                    .filter(rows -> StreamPartition.of(new StreamName(rows.stream()), 3) == partition)
                    .iterator();
        }

        @Override
        public Iterator<StreamRows> inSql(MirrorTable table) {
            return rows(table, sql).iterator();
        }

        private static List<StreamRows> rows(MirrorTable table, Map<Key, String> side) {
            Map<String, RowsDigest> sums = new TreeMap<>(StreamRows.BY_BYTES);
            if (table == MirrorTable.EVENTS) {
                side.forEach((key, value) -> sums.merge(
                        key.stream(), new RowsDigest(1, (key.id() + value).hashCode(), 0), RowsDigest::plus));
            }
            List<StreamRows> rows = new ArrayList<>();
            sums.forEach((stream, digest) -> rows.add(new StreamRows(stream, Map.of("2026-11", digest))));
            return rows;
        }

        @Override
        public Iterator<DifferentRow> differences(MirrorTable table, String stream, String month) {
            detailed.add(stream);
            Map<Key, String> all = new HashMap<>(store);
            all.putAll(sql);
            return all.keySet().stream()
                    .filter(key -> key.stream().equals(stream))
                    .sorted(Comparator.comparing(Key::id))
                    .flatMap(key -> difference(key).stream())
                    .iterator();
        }

        @Override
        public List<DifferentRow> look(List<DifferentRow> rows) {
            return rows.stream()
                    .flatMap(row -> difference(key(row.stream(), row.row().eventId())).stream())
                    .toList();
        }

        @Override
        public Repaired repair(List<DifferentRow> rows) {
            int removed = 0;
            for (DifferentRow row : rows) {
                Key key = key(row.stream(), row.row().eventId());
                repaired.add(key.stream() + " " + key.id());
                if (store.containsKey(key)) {
                    sql.put(key, store.get(key));
                } else {
                    sql.remove(key);
                    removed++;
                }
            }
            return new Repaired(rows.size() - removed, removed);
        }

        private List<DifferentRow> difference(Key key) {
            String stored = store.get(key);
            String inSql = sql.get(key);
            if (stored == null ? inSql == null : stored.equals(inSql)) {
                return List.of();
            }
            ObjectNode row = Json.object()
                    .put("stream", key.stream())
                    .put("storedAt", T0.toString())
                    .put("eventId", key.id())
                    .put("what", stored == null ? "TOO_MANY_IN_SQL" : inSql == null ? "MISSING_IN_SQL" : "DIFFERS")
                    .put("version", stored == null ? "" : stored)
                    .put("moving", stored == null && isEmptying);
            row.putArray("fields");
            return List.of(new DifferentRow(MirrorTable.EVENTS, row));
        }
    }
}
