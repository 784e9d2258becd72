package dev.ebb.store.read;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamStanding;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadOnlyEventStoreTest {

    private static final StreamName S = new StreamName("s");

    private final StoreFixture fixture = new StoreFixture();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 100})
    void shouldListAllKindsPageByPage(int limit) {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .anchor(Anchor.OCCURRED)
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        fixture.event(event("before", "x"));
        fixture.event(event("s", "d").occurredAt(T0 + 4));
        fixture.event(event("s", "a").occurredAt(T0 + 1).ttlSeconds(9999));
        fixture.event(event("s", "p2").status("pending"));
        fixture.event(event("s", "c").occurredAt(T0 + 3));
        fixture.event(event("s", "b").occurredAt(T0 + 2).noExpiration());
        fixture.event(event("s", "p1").status("pending"));
        fixture.event(event("t", "y"));

        // when
        List<String> ids = new ArrayList<>();
        String cursor = null;
        do {
            EventPage page = fixture.reader().list(S, cursor, limit);
            assertThat(page.events()).hasSizeLessThanOrEqualTo(limit);
            page.events().forEach(stored -> ids.add(stored.event().id().value()));
            cursor = page.nextCursor();
        } while (cursor != null);

        // then
        assertThat(ids).containsExactly("a", "b", "c", "d", "p1", "p2");
    }

    /** Streams are read a thousand at a time, and a page may end anywhere. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1000, 1001, 2000})
    @Tag("A-1")
    void shouldListEachStreamOnceOverAllPages(int streams) {
        // given
        StoreFixture many = new StoreFixture();
        List<String> names = IntStream.range(0, streams)
                .mapToObj(number -> String.format("many/%04d", number))
                .toList();
        names.forEach(name -> many.event(event(name, "e")));

        // when
        List<String> listed = new ArrayList<>();
        for (StreamContext stream : many.reader().contexts(null, null)) {
            assertThat(many.usage.openIterators()).isZero();
            listed.add(stream.stream().value());
        }

        // then
        assertThat(listed).isEqualTo(names);
        assertThat(many.reader().contexts(new StreamName("many/0998"), "many"))
                .extracting(stream -> stream.stream().value())
                .isEqualTo(names.subList(Math.min(999, streams), streams));
    }

    @Test
    void shouldGoOnWhereAPageEndedAlthoughItsEventsAreGone() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(2)).build());
        for (int i = 0; i < 5; i++) {
            fixture.event(event("s", "e" + i));
        }
        String cursor = fixture.reader().list(S, null, 2).nextCursor();

        // when
        fixture.sweep();

        // then
        assertThat(fixture.reader().list(S, cursor, 10).events())
                .extracting(stored -> stored.event().id().value())
                .containsExactly("e3", "e4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "", "zz", "4f", "4f0000000101"})
    void shouldRefuseAForeignCursor(String cursor) {
        fixture.event(event("s", "a"));

        assertThatThrownBy(() -> fixture.reader().list(S, cursor, 10)).isInstanceOf(BadCursorException.class);
    }

    @Test
    void shouldFindNothingInAStreamThatIsNotThere() {
        fixture.event(event("t", "a"));

        assertThat(fixture.reader().find(S, new EventId("a"))).isEmpty();
        assertThat(fixture.reader().find(new StreamName("t"), new EventId("b"))).isEmpty();
        assertThat(fixture.reader().list(S, null, 10).events()).isEmpty();
        assertThat(fixture.reader().usage(S)).isEmpty();
    }

    @Test
    void shouldSayWhatAStreamHolds() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .anchor(Anchor.OCCURRED)
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        fixture.event(event("s", "a").occurredAt(T0 - 10));
        fixture.event(event("s", "b").occurredAt(T0 - 20).ttlSeconds(9999));
        fixture.event(event("s", "c").occurredAt(T0 - 5).noExpiration());
        fixture.event(event("s", "p").occurredAt(T0 - 99).status("pending"));
        long bytes = 4 * event("s", "a").build().sizeBytes() + "pending".length();

        // then
        assertThat(fixture.usage("s")).isEqualTo(new StreamUsage(S, 4, bytes, 1, 1, 1, T0 - 20, T0 - 5, 0, null, null));
    }

    @Test
    void shouldSayThatProtectedEventsHaveNoAge() {
        fixture.event(event("s", "p").status("pending"));

        assertThat(fixture.usage("s").oldest()).isNull();
        assertThat(fixture.usage("s").newest()).isNull();
    }

    @Test
    void shouldListStreamsByNameAndPrefix() {
        // given
        for (String name : List.of("b/2", "a", "b/1", "é", "b", "c")) {
            fixture.event(event(name, "x"));
        }

        // then
        assertThat(names(null, "", 100)).containsExactly("a", "b", "b/1", "b/2", "c", "é");
        assertThat(names(null, "b/", 100)).containsExactly("b/1", "b/2");
        assertThat(names("b", "", 2)).containsExactly("b/1", "b/2");
        assertThat(names("b/1", "b/", 100)).containsExactly("b/2");
        assertThat(names("b/1", "c", 100)).containsExactly("c");
        assertThat(names("z", "b/", 100)).isEmpty();
    }

    /** A namespace that is not asked for costs one look, however many streams it has. */
    @Test
    void shouldPassOverOtherNamespaces() {
        // given
        for (int i = 0; i < 100; i++) {
            fixture.event(event("b/" + i, "x"));
        }
        for (String name : List.of("a", "b", "b0", "c", "default/1")) {
            fixture.event(event(name, "x"));
        }
        fixture.resetCounts();

        // when
        var found = fixture.reader().streams(null, "", StreamName.DEFAULT_NAMESPACE, 4);

        // then
        assertThat(found).extracting(usage -> usage.stream().value()).containsExactly("a", "b", "b0", "c");
        assertThat(fixture.usage.walked).isLessThan(20);
        assertThat(fixture.reader().streams("b", "", "default", 9)).hasSize(3);
        assertThat(fixture.reader().streams("b/7", "", "default", 9)).hasSize(3);
        assertThat(fixture.reader().streams(null, "b", "default", 9)).hasSize(2);
    }

    /** Keys before the first stream are no names of streams. */
    @Test
    void shouldFindNothingThatBeginsWithAControlCharacter() {
        // given
        fixture.event(event("a/1", "x"));

        // then
        assertThat(names(null, "\u0000", 9)).isEmpty();
        assertThat(names(null, "\u0001", 9)).isEmpty();
        assertThat(names(null, "a", 9)).containsExactly("a/1");
    }

    private List<String> names(String after, String prefix, int limit) {
        return fixture.reader().streams(after, prefix, null, limit).stream()
                .map(usage -> usage.stream().value())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    @Tag("M-5")
    void shouldListExecutionsPageByPageTheCurrentOneFirst(int limit) {
        // given
        fixture.event(event("s", "plain"));
        fixture.event(event("s", "a").execution(3));
        fixture.event(event("s", "b").execution(300).status("pending"));
        fixture.event(event("s", "c").execution(300));
        fixture.execution(new ExecutionUpdate(S, 3, "completed", null, T0 - 9, T0 - 5), T0);
        fixture.execution(new ExecutionUpdate(S, 70_000, "running", new StreamName("p"), null, null), T0);
        fixture.event(event("t", "x").execution(5));

        // when
        List<ExecutionUsage> all = new ArrayList<>();
        long below = Long.MAX_VALUE;
        List<ExecutionUsage> page = fixture.reader().executions(S, below, limit);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(limit);
            all.addAll(page);
            below = page.get(page.size() - 1).execution().number();
            page = fixture.reader().executions(S, below, limit);
        }

        // then
        long bytes = event("s", "a").build().sizeBytes();
        assertThat(all)
                .containsExactly(
                        new ExecutionUsage(new Execution(70_000, "running", false, null, null), 0, 0, 0, T0),
                        new ExecutionUsage(Execution.undeclared(300), 2, 2 * bytes + "pending".length(), 2, T0),
                        new ExecutionUsage(new Execution(3, "completed", true, T0 - 9, T0 - 5), 1, bytes, 0, null),
                        new ExecutionUsage(
                                Execution.undeclared(0),
                                1,
                                event("s", "plain").build().sizeBytes(),
                                0,
                                null));
        assertThat(fixture.reader().executions(new StreamName("u"), Long.MAX_VALUE, limit))
                .isEmpty();
    }

    @Test
    @Tag("M-6")
    void shouldSayWhatOfAStreamIsOpen() {
        // given
        for (int i = 1; i <= 5; i++) {
            fixture.event(event("s", "p" + i).status("pending"));
            fixture.execution("s", i, i == 3 ? "completed" : "running");
        }
        fixture.execution(new ExecutionUpdate(S, 3, "completed", new StreamName("p"), null, null), T0);

        // when
        StreamStanding standing = fixture.reader().standing(S).orElseThrow();

        // then
        assertThat(standing.isOpen()).isTrue();
        assertThat(standing.parent()).isEqualTo(new StreamName("p"));
        assertThat(standing.currentExecution()).isEqualTo(5);
        assertThat(standing.openExecutions()).isEqualTo(4);
        assertThat(standing.open())
                .extracting(usage -> usage.execution().number())
                .containsExactly(5L, 4L, 2L);
        assertThat(standing.openEvents()).isEqualTo(5);
        assertThat(standing.openEventIds()).containsExactly("p1", "p2", "p3");
    }

    @Test
    @Tag("M-6")
    void shouldSayThatAStreamOfPlainFactsIsClosed() {
        fixture.event(event("s", "a"));
        fixture.event(event("t", "pending").status("pending"));

        assertThat(fixture.reader().standing(S)).contains(new StreamStanding(null, 0, 0, List.of(), 0, List.of()));
        assertThat(fixture.reader().standing(new StreamName("u"))).isEmpty();
    }
}
