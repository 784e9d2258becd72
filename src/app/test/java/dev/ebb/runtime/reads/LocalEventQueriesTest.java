package dev.ebb.runtime.reads;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.Fate;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.Policies;
import dev.ebb.port.EventQueries.EventPage;
import dev.ebb.port.EventQueries.EventQuery;
import dev.ebb.port.EventQueries.NextDue;
import dev.ebb.port.EventQueries.StreamQuery;
import dev.ebb.port.ReadEvent;
import dev.ebb.port.history.TimeRange;
import dev.ebb.runtime.ReadingSide;
import dev.ebb.store.EventStore;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.read.StatusFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalEventQueriesTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final long MAX_AGE = 1000;
    private static final StreamName STREAM = new StreamName("a/1");

    private final KeyValueStore<Bytes, byte[]> events =
            Stores.inMemoryKeyValueStore("events").get();
    private final KeyValueStore<Bytes, byte[]> usage =
            Stores.inMemoryKeyValueStore("usage").get();
    private final PolicySet policies = Policies.all(all -> all.maxAge(Limit.of(MAX_AGE)));
    private final EventStore store = new EventStore(events, usage, TerminalStatuses.DEFAULT);
    private final LocalEventQueries queries =
            new LocalEventQueries(partition -> reader(), 1, () -> policies, new ReadingSide.TestClock(() -> T0));
    private final Map<String, String> stored = new TreeMap<>();

    @BeforeEach
    void open() {
        store.open(policies);
    }

    @ParameterizedTest
    @ValueSource(strings = {"running", "cancelled", ""})
    @Tag("M-3")
    void shouldFindARareStatusOnTheFirstPage(String status) {
        // given
        putMany(300, T0);
        put(event("a/1", "sought").status(status), T0);

        // when
        EventPage page = queries.events(STREAM, query(false, status, null, 5));

        // then
        assertThat(ids(page)).containsExactly("sought");
        assertThat(page.next()).isNull();
    }

    @Test
    @Tag("M-17")
    void shouldReadOnOverHiddenEvents() {
        // given
        putMany(300, T0 - MAX_AGE - 1);
        put(event("a/1", "last to be seen"), T0 - MAX_AGE);

        // then
        assertThat(ids(queries.events(STREAM, query(false, null, null, 5)))).containsExactly("last to be seen");
        EventPage all = queries.events(STREAM, query(true, null, null, 5));
        assertThat(all.events()).hasSize(5).allMatch(read -> read.isExpired());
        assertThat(all.next()).isNotNull();
        assertThat(pages(true, "COMPLETED", 7)).hasSize(300);
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "4, true", "5, true"})
    void shouldEndAPageThatHasCostEnough(int place, boolean isFound) {
        // given
        putMany(place - 1, T0);
        put(event("a/1", "sought").status("read"), T0);
        putMany(9, T0 + 1);

        // when
        int mostRead = 3;
        EventPage page = page(new PageBudget(mostRead, () -> 0), null);

        // then
        assertThat(page.events().isEmpty()).isEqualTo(isFound);
        assertThat(page.next()).isNotNull();
        String cursor = page.next();
        while (cursor != null) {
            EventPage next = page(new PageBudget(mostRead, () -> 0), cursor);
            page = next.events().isEmpty() ? page : next;
            cursor = next.next();
        }
        assertThat(ids(page)).containsExactly("sought");
    }

    /** Each page makes progress, even after its time is up. */
    @ParameterizedTest
    @CsvSource({"998, 3", "999, 3", "1000, 1", "1001, 1"})
    void shouldEndAPageThatTakesLong(long ms, int read) {
        AtomicLong nanos = new AtomicLong();
        PageBudget budget = new PageBudget(3, nanos::get);
        nanos.set(ms * 1_000_000);

        int spent = 0;
        while (budget.spend()) {
            spent++;
        }
        assertThat(spent).isEqualTo(read);
    }

    /**
     * Letters that some rules of capitals take for other letters: M-3 has one rule, which also decides the place of an
     * event.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "failed", "FAILED", "fa\u0131led", "FA\u0130LED", "fai\u0307led", "cancelled ", " ", "", "\u017Ftarted",
                "STARTED", "proce\u00DFing", "PROCESSING", "\u212Aept", "kept", "\u0000", "\uD83D\uDE00", "\uD800", "%",
                "x' OR '1'='1"
            })
    @Tag("M-3")
    void shouldTakeForOneStatusTheSpellingsThatAreOneToRetention(String wanted) {
        // given
        List<String> statuses = List.of(
                "failed",
                "Failed",
                "fa\u0131led",
                "fa\u0130led",
                "",
                "\u017Ftarted",
                "started",
                "proce\u00DFing",
                "processing",
                "\u212Aept",
                "Kept",
                "\uD83D\uDE00",
                "%");
        for (int i = 0; i < 40; i++) {
            put(event("a/1", "e" + i).status(statuses.get(i % statuses.size())), T0);
        }

        // then
        List<String> expected = stored.entrySet().stream()
                .filter(event -> folded(event.getValue()).equals(folded(wanted)))
                .map(Map.Entry::getKey)
                .toList();
        for (int limit : List.of(1, 2, 3, 100)) {
            assertThat(pages(false, wanted, limit)).as("limit " + limit).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"running", "completed", ""})
    void shouldRefuseAForeignCursor(String status) {
        putMany(1, T0);

        assertThatThrownBy(() -> queries.events(STREAM, query(false, status, "zz", 5)))
                .isInstanceOf(BadCursorException.class);
    }

    @Test
    @Tag("M-13")
    void shouldNotLookForProtectedEventsAmongTheExpiring() {
        // given
        putMany(3, T0);
        put(event("a/1", "running").status("running"), T0);

        // then
        assertThat(expiring("running").events()).isEmpty();
        assertThat(expiring("running").next()).isNull();
        assertThat(expiring("completed").events()).hasSize(3);
    }

    /** C-3: due times are T0 + 1000 … T0 + 1004; a range includes both of its ends. */
    @ParameterizedTest
    @CsvSource({"999,999,0", "1000,1000,1", "1001,1003,3", "1004,9999,1", "1005,9999,0", "0,9999,5"})
    @Tag("C-3")
    void shouldListEventsThatFallDueInATime(long from, long to, int found) {
        // given
        for (int i = 0; i < 5; i++) {
            put(event("a/1", "e" + i).status("completed"), T0 + i);
        }
        put(event("a/1", "running").status("running"), T0);
        TimeRange due = new TimeRange(T0 + from, T0 + to);

        // then
        assertThat(queries.events(STREAM, new EventQuery(false, null, null, due, null, 100))
                        .events())
                .hasSize(found);
    }

    /** A page of streams is full as long as more follow, whatever other streams lie between. */
    @Test
    void shouldFillAPageOfStreamsOfTheDefaultNamespace() {
        // given
        for (int i = 0; i < 20; i++) {
            put(event("n/" + i, "e"), T0);
        }
        put(event("m", "e"), T0);
        put(event("o", "e"), T0);
        put(event("p", "e"), T0);

        // when
        var first = queries.streams(new StreamQuery("", "default", null, 2), List.of(0));
        var second = queries.streams(new StreamQuery("", "default", first.next(), 2), List.of(0));

        // then
        assertThat(first.streams()).extracting(found -> found.stream().value()).containsExactly("m", "o");
        assertThat(second.streams()).extracting(found -> found.stream().value()).containsExactly("p");
        assertThat(second.next()).isNull();
    }

    /** O-25: a list has the word of the decision, which knows holds, guards and modes. */
    @Test
    @Tag("O-25")
    void shouldNameTheFateOfAnEventAsTheDecisionDoes() {
        // given
        put(event("a/1", "old"), T0 - MAX_AGE - 500);
        put(event("a/1", "young"), T0 - 500);
        put(event("a/1", "running").status("running"), T0 - MAX_AGE - 500);

        // then
        assertThat(fates(policies)).isEqualTo(Map.of("old", "goes", "young", "goes", "running", "protected"));
        Hold hold = new Hold("c", Scope.ALL, "", "", 0);
        RetentionPolicy plain =
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(MAX_AGE)).build();
        assertThat(fates(Policies.setOf(List.of(plain), List.of(hold))))
                .isEqualTo(Map.of("old", "held", "young", "held", "running", "held"));
        assertThat(fates(Policies.all(all -> all.maxAge(Limit.of(MAX_AGE)).mode(PolicyMode.WARN))))
                .isEqualTo(Map.of("old", "kept", "young", "kept", "running", "protected"));
        assertThat(fates(Policies.all(all -> all.maxAge(Limit.of(MAX_AGE)).set(PolicyField.KEEP_LAST, Limit.of(1)))))
                .isEqualTo(Map.of("old", "goes", "young", "guarded", "running", "protected"));
        assertThat(fates(Policies.all(all -> all.maxAge(Limit.NONE))))
                .isEqualTo(Map.of("old", "never", "young", "never", "running", "protected"));
    }

    /** An event that minAge keeps for now goes when that has passed, and not at its age. */
    @Test
    @Tag("O-25")
    void shouldTellTheTimeAtWhichMinAgeLetsAnEventGo() {
        // given
        put(event("a/1", "e"), T0 - 500);
        PolicySet guarded =
                Policies.all(all -> all.maxAge(Limit.of(MAX_AGE)).set(PolicyField.MIN_AGE, Limit.of(5 * MAX_AGE)));

        // then
        ReadEvent read = under(guarded)
                .events(STREAM, query(true, null, null, 5))
                .events()
                .get(0);
        assertThat(read.fate()).isEqualTo(Fate.GOES);
        assertThat(read.dueAtMs()).isEqualTo(T0 - 500 + 5 * MAX_AGE - 1);
        assertThat(under(guarded).nextDue(STREAM).lastMs()).isEqualTo(read.dueAtMs());
    }

    @Test
    void shouldNameTheTimeAtWhichAStreamLosesItsFirstEvent() {
        // given
        put(event("a/1", "running").status("running"), T0 - MAX_AGE);
        put(event("a/1", "first"), T0 - 700);
        put(event("a/1", "second"), T0 - 500);
        put(event("a/1", "later").ttlSeconds(5), T0 - 100);

        // then
        assertThat(queries.nextDue(STREAM).lastMs()).isEqualTo(T0 - 700 + MAX_AGE);
        assertThat(under(Policies.all(all -> all.mode(PolicyMode.WARN))).nextDue(STREAM))
                .isEqualTo(NextDue.NONE);
        Hold hold = new Hold("c", Scope.ALL, "", "", 0);
        assertThat(under(Policies.setOf(List.of(), List.of(hold))).nextDue(STREAM))
                .isEqualTo(NextDue.NONE);
        assertThat(queries.nextDue(new StreamName("none"))).isEqualTo(NextDue.NONE);
    }

    private LocalEventQueries under(PolicySet others) {
        return new LocalEventQueries(partition -> reader(), 1, () -> others, new ReadingSide.TestClock(() -> T0));
    }

    private Map<String, String> fates(PolicySet others) {
        Map<String, String> fates = new TreeMap<>();
        under(others)
                .events(STREAM, query(true, null, null, 100))
                .events()
                .forEach(read ->
                        fates.put(read.event().event().id().value(), read.fate().word()));
        return fates;
    }

    private EventPage page(PageBudget budget, String cursor) {
        var context = reader().context(STREAM).orElseThrow();
        return new ListedEvents(context, policies, T0, budget)
                .page(query(false, "read", cursor, 5), new StatusFilter("read", TerminalStatuses.DEFAULT));
    }

    private EventPage expiring(String status) {
        return queries.events(STREAM, new EventQuery(false, status, 10 * MAX_AGE, null, null, 100));
    }

    /** Returns the ids on all pages, of which only the last one may be empty. */
    private List<String> pages(boolean includeExpired, String status, int limit) {
        List<String> ids = new ArrayList<>();
        String cursor = null;
        do {
            EventPage page = queries.events(STREAM, query(includeExpired, status, cursor, limit));
            assertThat(page.events().size()).isLessThanOrEqualTo(limit);
            if (page.next() != null) {
                assertThat(page.events()).hasSize(limit);
            }
            ids.addAll(ids(page));
            cursor = page.next();
        } while (cursor != null);
        return ids;
    }

    private void putMany(int count, long nowMs) {
        for (int i = 0; i < count; i++) {
            put(event("a/1", "m" + nowMs + "-" + i).status("completed"), nowMs);
        }
    }

    private void put(EventBuilder event, long nowMs) {
        var built = event.build();
        stored.put(built.id().value(), built.status() == null ? "" : built.status());
        store.put(store.prepare(built, nowMs, nowMs, policies), policies);
    }

    private ReadOnlyEventStore reader() {
        return new ReadOnlyEventStore(events, usage);
    }

    private static EventQuery query(boolean includeExpired, String status, String cursor, int limit) {
        return new EventQuery(includeExpired, status, null, null, cursor, limit);
    }

    private static List<String> ids(EventPage page) {
        return page.events().stream()
                .map(read -> read.event().event().id().value())
                .toList();
    }

    private static String folded(String status) {
        return status.toLowerCase(Locale.ROOT);
    }
}
