package dev.ebb.api.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.MirrorCheck;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowsDigest;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.wire.instance.VerificationView.Result;
import dev.ebb.wire.instance.VerificationView.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
    private final Witness seen = new Witness(sides, Clock.systemUTC());
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
        assertThat(run(false)).isEqualTo(Verdict.EQUAL);
        assertThat(result(false).equal()).isTrue();
        assertThat(result(false).event().stored()).isEqualTo(22);
        assertThat(result(false).event().sql()).isEqualTo(22);
        assertThat(sides.detailed).as("groups compared row by row").isEmpty();
    }

    @Test
    void shouldCountDifferencesOnTheWayOnlyOnceTheyAreKnown() {
        // given: both sides are compared to their end while no difference is certain
        sides.both("a", "same", "1");
        sides.store.put(key("b", "lost"), "1");
        List<String> shown = new ArrayList<>();
        passing = time -> shown.add(progress());

        // when
        run(false);

        // then
        assertThat(shown).isNotEmpty().allMatch(line -> line.equals("2 streams, 0 differences"));
        assertThat(progress()).isEqualTo("2 streams, 1 differences");
    }

    private String progress() {
        return findings.streams() + " streams, " + findings.differences() + " differences";
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
        assertThat(run(false)).isEqualTo(Verdict.DIFFERENT);
        assertThat(named())
                .containsExactly(
                        " nameless TOO_MANY_IN_SQL",
                        "b lost MISSING_IN_SQL",
                        "c bogus TOO_MANY_IN_SQL",
                        "d changed DIFFERS");
        assertThat(sides.detailed).containsExactly("", "b", "c", "d");
    }

    @Test
    void shouldNotTakeARowOnItsWayForADifference() {
        // given: an insert, a delete and an update that reach SQL during the wait
        sides.store.put(key("a", "new"), "1");
        sides.sql.put(key("b", "old"), "1");
        sides.store.put(key("c", "updated"), "2");
        sides.sql.put(key("c", "updated"), "1");
        passing = time -> sides.deliver();

        // then
        assertThat(run(false)).isEqualTo(Verdict.EQUAL);
        assertThat(result(false).equal()).isTrue();
    }

    @Test
    void shouldGoOnLookingAtARowThatChangedMeanwhile() {
        // given: each look comes too late for the rows that were stored at the one before
        sides.store.put(key("a", "hot"), "1");
        int[] looks = {0};
        passing = time -> {
            sides.deliver();
            if (looks[0]++ < 3) {
                sides.store.put(key("a", "hot"), "v" + looks[0]);
            }
        };

        // then
        assertThat(run(false)).isEqualTo(Verdict.EQUAL);
        assertThat(result(false).moving()).isZero();
    }

    @Test
    void shouldNameRowsThatWereStillMoving() {
        // given
        sides.store.put(key("a", "hot"), "0");
        int[] looks = {0};
        passing = time -> {
            sides.deliver();
            sides.store.put(key("a", "hot"), "v" + looks[0]++);
        };

        // then: the sinks have kept up all the time
        assertThat(run(false)).isEqualTo(Verdict.EQUAL);
        assertThat(result(false).moving()).isEqualTo(1);
        assertThat(result(false).mirrorBehind()).isFalse();
    }

    @Test
    void shouldNotTellADifferenceFromAMirrorThatIsBehind() {
        // given
        sides.store.put(key("a", "new"), "1");
        sides.isBehind = true;
        patience = Duration.ofSeconds(5);

        // then
        assertThat(run(false)).isEqualTo(Verdict.BEHIND);
        assertThat(named()).isEmpty();
        assertThat(result(false).equal()).isFalse();
        assertThat(result(false).mirrorBehind()).isTrue();
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
        assertThat(run(false)).isEqualTo(Verdict.EQUAL);
    }

    @Test
    void shouldRepairDifferencesAndNothingElse() {
        // given
        sides.both("a", "same", "1");
        sides.store.put(key("b", "lost"), "1");
        sides.sql.put(key("c", "bogus"), "1");

        // then
        assertThat(run(true)).isEqualTo(Verdict.EQUAL);
        assertThat(sides.repaired).containsExactly("b lost", "c bogus");
        Result view = result(true);
        assertThat(view.differences()).isEqualTo(2);
        assertThat(view.repair().rowsSent()).isEqualTo(1);
        assertThat(view.repair().rowsRemoved()).isEqualTo(1);
        assertThat(view.repair().unhealed()).isZero();
    }

    @Test
    void shouldNameDifferencesThatCannotBeRepaired() {
        // given
        sides.sql.put(key("", "nameless"), "1");

        // then
        assertThat(run(true)).isEqualTo(Verdict.DIFFERENT);
        assertThat(sides.repaired).isEmpty();
        assertThat(result(true).repair().unhealed()).isEqualTo(1);
        assertThat(result(true).rows()).singleElement().satisfies(row -> {
            assertThat(row.why()).isEqualTo("its stream must not be empty, so no record can address the row");
            assertThat(row.byHand())
                    .isEqualTo("DELETE FROM event WHERE stored_at = '2026-11-30 10:00:00.000000+00' AND stream = E''"
                            + " AND event_id = E'nameless';");
        });
    }

    @Test
    @Tag("O-24")
    void shouldSayWhyTheDatabaseRefusesARow() {
        // given
        sides.store.put(key("a", "refused"), "1");
        sides.both("b", "other", "1");
        sides.isRefusing = true;
        sides.refused.add(
                refused("event", "{\"stored_at\":\"2026-11-30T10:00:00Z\",\"stream\":\"a\",\"event_id\":\"refused\"}"));

        // then
        assertThat(run(true)).isEqualTo(Verdict.DIFFERENT);
        assertThat(sides.repaired).containsExactly("a refused");
        assertThat(result(true).rows())
                .singleElement()
                .extracting(row -> row.why(), row -> row.byHand())
                .containsExactly("the database refuses it: no (54000)", null);
        assertThat(result(true).refusedRows()).isEqualTo(sides.refused);
    }

    @Test
    @Tag("O-24")
    void shouldSayThatSomethingElseChangesARowThatRepairsDoNotHeal() {
        // given
        sides.store.put(key("a", "e"), "1");
        sides.isRefusing = true;

        // when
        run(true);

        // then
        assertThat(result(true).rows()).singleElement().satisfies(row -> assertThat(row.why())
                .startsWith("SQL has taken what was sent, and differs still"));
    }

    /** The reason of a row that is not named is not known, so nothing else is blamed for the difference. */
    @Test
    @Tag("O-24")
    void shouldBlameNothingElseWhileMoreRowsAreRefusedThanAreNamed() {
        // given
        sides.store.put(key("a", "e"), "1");
        sides.isRefusing = true;
        sides.unnamed = 1;

        // when
        run(true);

        // then
        assertThat(result(true).rows()).singleElement().satisfies(row -> assertThat(row.why())
                .contains("the database refuses more rows than are named, and this may be one of them"));
    }

    @Test
    @Tag("O-24")
    void shouldNotCallEqualWhatTheDatabaseRefuses() {
        // given: a refused row of a table that is not compared, and keys that cannot be read
        sides.both("a", "same", "1");
        sides.refused.add(refused("retention_audit", "{\"audit_id\":\"x\"}"));
        sides.refused.add(refused("event", "no key can be read"));
        sides.refused.add(refused("event", "{\"stream\":\"a\",\"stored_at\":\"?\"}"));

        // then
        assertThat(run(false)).isEqualTo(Verdict.DIFFERENT);
        assertThat(result(false).equal()).isFalse();
        assertThat(result(false).refused()).isEqualTo(3);
        assertThat(result(false).differences()).isZero();
    }

    private static MirrorCheck.Refused refused(String table, String key) {
        return new MirrorCheck.Refused(table, key, "no (54000)", false, "2026-11-30T10:00:01Z", "mirror.events-0@7");
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
        assertThat(result(false).rows()).hasSize(1000);
        assertThat(result(false).rowsLeftOut()).isEqualTo(1);
        assertThat(result(false).differences()).isEqualTo(1001);
    }

    private Verdict run(boolean isRepair) {
        new Verification(seen, 3, time -> passing.accept(time), patience, isRepair ? sides : null, findings).run();
        return result(isRepair).verdict();
    }

    private Result result(boolean isRepair) {
        return findings.result(isRepair, seen, sides.refused(1000));
    }

    private List<String> named() {
        return result(false).rows().stream()
                .map(row -> row.stream() + " " + row.eventId() + " " + row.what())
                .toList();
    }

    private static Key key(String stream, String id) {
        return new Key(stream, id);
    }

    private record Key(String stream, String id) {}

    private static final class TwoSides implements MirrorCheck, Repairs {

        final Map<Key, String> store = new TreeMap<>(
                Comparator.comparing(Key::stream, StreamDigests.BY_BYTES).thenComparing(Key::id));
        final Map<Key, String> sql = new TreeMap<>(
                Comparator.comparing(Key::stream, StreamDigests.BY_BYTES).thenComparing(Key::id));
        final List<String> detailed = new ArrayList<>();
        final List<String> repaired = new ArrayList<>();
        final List<Refused> refused = new ArrayList<>();
        int unnamed;
        boolean isBehind;
        boolean isRefusing;
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
        public Refusals refused(int most) {
            return new Refusals(refused.size() + unnamed, refused);
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
        public DigestPage stored(int partition, MirrorTable table, String after) {
            return page(
                    rows(table, store).stream()
                            .filter(rows -> StreamPartition.of(new StreamName(rows.stream()), 3) == partition)
                            .toList(),
                    after);
        }

        @Override
        public DigestPage inSql(MirrorTable table, String after) {
            return page(rows(table, sql), after);
        }

        /** Returns pages of five rows. */
        private static DigestPage page(List<GroupDigest> all, String after) {
            int from = after == null ? 0 : Integer.parseInt(after);
            int to = Math.min(all.size(), from + 5);
            return new DigestPage(all.subList(from, to), to == all.size() ? null : Integer.toString(to));
        }

        private static List<GroupDigest> rows(MirrorTable table, Map<Key, String> side) {
            Map<String, RowsDigest> sums = new TreeMap<>(StreamDigests.BY_BYTES);
            if (table == MirrorTable.EVENTS) {
                side.forEach((key, value) -> sums.merge(
                        key.stream(), new RowsDigest(1, (key.id() + value).hashCode(), 0), RowsDigest::plus));
            }
            List<GroupDigest> rows = new ArrayList<>();
            sums.forEach((stream, digest) -> rows.add(new GroupDigest(stream, "2026-11", digest)));
            return rows;
        }

        @Override
        public DifferencePage differences(Group group, String after) {
            detailed.add(group.stream());
            Map<Key, String> all = new HashMap<>(store);
            all.putAll(sql);
            return new DifferencePage(
                    all.keySet().stream()
                            .filter(key -> key.stream().equals(group.stream()))
                            .sorted(Comparator.comparing(Key::id))
                            .flatMap(key -> difference(key).stream())
                            .toList(),
                    null);
        }

        @Override
        public List<Difference> look(String stream, List<RowKey> rows, List<Long> executions) {
            return rows.stream()
                    .flatMap(row -> difference(key(stream, row.eventId())).stream())
                    .toList();
        }

        @Override
        public Repaired repair(String stream, List<RowKey> rows, List<Long> executions, Consumer<String> waitsFor) {
            int removed = 0;
            for (RowKey row : rows) {
                Key key = key(stream, row.eventId());
                repaired.add(key.stream() + " " + key.id());
                if (isRefusing) {
                    continue;
                }
                if (store.containsKey(key)) {
                    sql.put(key, store.get(key));
                } else {
                    sql.remove(key);
                    removed++;
                }
            }
            return new Repaired(rows.size() - removed, removed);
        }

        private List<Difference> difference(Key key) {
            String stored = store.get(key);
            String inSql = sql.get(key);
            if (stored == null ? inSql == null : stored.equals(inSql)) {
                return List.of();
            }
            What what = stored == null ? What.TOO_MANY_IN_SQL : inSql == null ? What.MISSING_IN_SQL : What.DIFFERS;
            String version = stored == null ? "" : stored;
            boolean isMoving = stored == null && isEmptying;
            return List.of(new Difference(
                    key.stream(), new RowKey(T0.toString(), key.id()), null, what, List.of(), version, isMoving));
        }
    }
}
