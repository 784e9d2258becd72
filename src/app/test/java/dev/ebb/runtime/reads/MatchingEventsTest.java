package dev.ebb.runtime.reads;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.Policies;
import dev.ebb.port.EventQueries.FoundPage;
import dev.ebb.port.EventQueries.SearchMark;
import dev.ebb.port.EventQueries.SearchQuery;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.topology.wire.StreamPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R-15")
class MatchingEventsTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final int PARTITIONS = 3;

    private final PolicySet policies = Policies.all(all -> all.maxAge(Limit.of(1000)));
    private final List<TestPartition> partitions = new ArrayList<>();

    /** The partition that another instance keeps; none at first. */
    private int elsewhere = -1;

    @BeforeEach
    void open() {
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.add(TestPartition.open(policies));
        }
    }

    /** Pages end by their limit, by their time, or both, wherever that falls; -Dtest.seed=N repeats a run. */
    @Test
    void shouldFindEachEventOnceHoweverThePagesEnd() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        Random random = new Random(seed);
        TreeSet<String> expected = new TreeSet<>();
        for (int i = 0; i < 400; i++) {
            String stream = (random.nextBoolean() ? "a/" : "ab/") + random.nextInt(12);
            String user = Integer.toString(random.nextInt(3));
            String status = random.nextInt(4) == 0 ? "pending" : "completed";
            put(event(stream, "e" + i).metadata(Map.of("user", user)).status(status), T0 + random.nextInt(100));
            if (user.equals("1") && stream.startsWith("a/")) {
                expected.add(stream + " e" + i);
            }
        }
        for (int n = 0; n < 30; n++) {
            int looks = 1 + random.nextInt(n % 2 == 0 ? 5 : 200);
            int limit = 1 + random.nextInt(n % 3 == 0 ? 2 : 50);

            List<String> found =
                    all(new SearchQuery(where("metadata.user=1"), "a", false, SearchMark.FIRST, limit), T0, looks);

            assertThat(found)
                    .as("seed %d, limit %d, %d looks", seed, limit, looks)
                    .doesNotHaveDuplicates()
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"999, true", "1000, true", "1001, false"})
    @Tag("M-17")
    void shouldHideWhatIsDue(long afterMs, boolean isShown) {
        put(event("a/1", "e"), T0);

        assertThat(all(new SearchQuery(where("id=e"), null, false, SearchMark.FIRST, 9), T0 + afterMs, 99))
                .hasSize(isShown ? 1 : 0);
        assertThat(all(new SearchQuery(where("id=e"), null, true, SearchMark.FIRST, 9), T0 + afterMs, 99))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "stream=a/1, , 1",
        "stream=a/1, a, 1",
        "stream=a/1, b, 0",
        "stream=none, , 0",
        "status=COMPLETED, , 0",
        "status=completed, , 2",
        "status=completed, default, 1"
    })
    void shouldTakeConditionsByTheByte(String condition, String namespace, int number) {
        put(event("a/1", "e").status("completed"), T0);
        put(event("plain", "e").status("completed"), T0);

        assertThat(all(new SearchQuery(where(condition), namespace, false, SearchMark.FIRST, 9), T0, 99))
                .hasSize(number);
    }

    @ParameterizedTest
    @CsvSource({"orders, 1", "order, 0", "ORDERS, 0"})
    void shouldTakeEventsOfOneSourceAlone(String source, int number) {
        put(event("a/1", "e").metadata(Map.of(SourcePlace.METADATA, placeOf("orders"))), T0);
        put(event("a/2", "e").metadata(Map.of(SourcePlace.METADATA, placeOf("payments"))), T0);

        assertThat(all(new SearchQuery(where("source=" + source), null, false, SearchMark.FIRST, 9), T0, 99))
                .hasSize(number);
    }

    private static String placeOf(String source) {
        return new SourcePlace(source, "topic", 0, 1, new byte[1]).text();
    }

    @ParameterizedTest
    @CsvSource({"0, zz", "0, 00", "0, ff", "3, "})
    void shouldRefuseAMarkOfNoPage(int partition, String cursor) {
        put(event("a/1", "e"), T0);
        SearchMark mark = new SearchMark(partition, cursor);

        assertThatThrownBy(() -> page(new SearchQuery(where("id=e"), null, false, mark, 9), T0, () -> true))
                .isInstanceOf(BadCursorException.class);
    }

    @Test
    void shouldBlameTheCursorForNoOtherFault() {
        put(event("a/1", "e"), T0);
        put(event("a/1", "f"), T0);
        SearchQuery query = new SearchQuery(where("stream=a/1"), null, false, SearchMark.FIRST, 9);
        BooleanSupplier failing = () -> {
            throw new IllegalArgumentException("another fault");
        };

        assertThatThrownBy(() -> page(query, T0, failing)).hasMessage("another fault");
    }

    @ParameterizedTest
    @CsvSource({"0, true, ", "1, false, 1@", "2, false, 2@"})
    void shouldStopBeforeAPartitionOfAnotherInstance(int away, boolean isRefused, String next) {
        SearchQuery query = new SearchQuery(where("id=e"), null, false, SearchMark.FIRST, 9);
        elsewhere = away;

        if (isRefused) {
            assertThatThrownBy(() -> page(query, T0, () -> true)).isInstanceOf(OtherInstanceException.class);
        } else {
            assertThat(page(query, T0, () -> true).next()).isEqualTo(SearchMark.parse(next));
        }
    }

    private static List<EventCondition> where(String condition) {
        return List.of(EventCondition.parse(condition));
    }

    private List<String> all(SearchQuery query, long nowMs, int looks) {
        List<String> found = new ArrayList<>();
        SearchMark from = SearchMark.FIRST;
        do {
            SearchQuery next =
                    new SearchQuery(query.where(), query.namespace(), query.includeExpired(), from, query.limit());
            int[] left = {looks};
            FoundPage page = page(next, nowMs, () -> left[0]-- > 0);
            assertThat(page.events().size()).isLessThanOrEqualTo(query.limit());
            page.events()
                    .forEach(one -> found.add(one.event().event().stream() + " "
                            + one.event().event().id()));
            from = page.next() == null ? null : SearchMark.parse(page.next().text());
        } while (from != null);
        return found;
    }

    private FoundPage page(SearchQuery query, long nowMs, BooleanSupplier hasTime) {
        return new MatchingEvents(this::of, PARTITIONS, policies, query, nowMs, hasTime).page();
    }

    private ReadOnlyEventStore of(int partition) {
        if (partition == elsewhere) {
            throw new OtherInstanceException("partition " + partition, "127.0.0.1:1");
        }
        return partitions.get(partition).reader();
    }

    private void put(EventBuilder event, long nowMs) {
        var built = event.build();
        partitions.get(StreamPartition.of(built.stream(), PARTITIONS)).put(built, nowMs, policies);
    }
}
