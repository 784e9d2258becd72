package dev.ebb.runtime.reads;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.Policies;
import dev.ebb.port.EventQueries.ExpiringPage;
import dev.ebb.port.EventQueries.ExpiringQuery;
import dev.ebb.port.NotReadyException;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.topology.wire.StreamPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Coming deletions of a namespace are listed over all its streams as the reader of one stream would see them. */
@Tag("M-17")
class ExpiringInNamespaceTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final long MAX_AGE = 1000;
    private static final int PARTITIONS = 3;

    private final Map<Integer, TestPartition> partitions = new TreeMap<>();
    private PolicySet policies = Policies.all(all -> all.maxAge(Limit.of(MAX_AGE)));

    @BeforeEach
    void open() {
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.put(i, TestPartition.open(policies));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void shouldListTheSoonestOfAllStreamsFirst(int limit) {
        // given
        put(event("a/1", "third"), T0 + 2);
        put(event("a/2", "first"), T0);
        put(event("a/3", "second").expiresAt(T0 + MAX_AGE + 1), T0);
        put(event("a/4", "last").ttlSeconds(2), T0 + 3);
        put(event("a/5", "pending").status("pending"), T0);
        put(event("a/6", "late").ttlSeconds(3600), T0);
        put(event("ab/1", "of another"), T0);
        put(event("a", "of the default namespace"), T0);

        // then
        assertThat(pages("a", T0, 10 * MAX_AGE, limit)).containsExactly("first", "second", "third", "last");
        assertThat(pages("default", T0, 10 * MAX_AGE, limit)).containsExactly("of the default namespace");
        assertThat(pages("none", T0, 10 * MAX_AGE, limit)).isEmpty();
    }

    /** M-13: an event that expires within a time is deleted at the last millisecond of that time at the latest. */
    @ParameterizedTest
    @CsvSource({"-1, false", "0, true", "1, true"})
    @Tag("M-13")
    void shouldEndWithTheLastMillisecond(long offset, boolean isListed) {
        put(event("a/1", "e"), T0);

        assertThat(pages("a", T0, MAX_AGE + offset, 5)).hasSize(isListed ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    @Tag("M-13")
    void shouldBeginWithEventsThatReadersStillSee(long offset, boolean isListed) {
        // given
        put(event("a/1", "e"), T0);
        long now = T0 + MAX_AGE + offset;

        // then
        assertThat(pages("a", now, MAX_AGE, 5)).hasSize(isListed ? 1 : 0);
        ExpiringPage all = page(new ExpiringQuery("a", true, MAX_AGE, null, 5), now, () -> 0);
        assertThat(all.events()).singleElement().satisfies(one -> {
            assertThat(one.event().isExpired()).isEqualTo(!isListed);
            assertThat(one.event().dueAtMs()).isEqualTo(T0 + MAX_AGE);
        });
    }

    @Test
    @Tag("M-16")
    void shouldListDueEventsWhereAPolicyOnlyWarns() {
        put(event("a/1", "e"), T0);
        policies = Policies.setOf(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(MAX_AGE))
                .mode(PolicyMode.WARN)
                .build());

        assertThat(pages("a", T0 + 5 * MAX_AGE, MAX_AGE, 5)).containsExactly("e");
    }

    @Test
    @Tag("M-18")
    void shouldLeaveOutHeldEvents() {
        put(event("a/1", "held"), T0);
        put(event("a/2", "free"), T0);
        policies = new PolicySet(
                policies.policies(),
                Map.of("LIT-1", new Hold("LIT-1", Scope.parse("stream:a/1"), "r", "who", T0)),
                Policies.BUILT_IN,
                1);

        assertThat(pages("a", T0, 5 * MAX_AGE, 5)).containsExactly("free");
    }

    @ParameterizedTest
    @CsvSource({"4999, false", "5000, true", "5001, true"})
    void shouldEndASearchThatTakesTooLongRatherThanShowSomethingElseFirst(long ms, boolean isTooLong) {
        // given
        put(event("a/1", "e"), T0);
        long[] calls = {0};
        LongSupplier clock = () -> calls[0]++ == 0 ? 0 : ms * 1_000_000;
        ExpiringQuery query = new ExpiringQuery("a", false, 5 * MAX_AGE, null, 5);

        // then
        if (isTooLong) {
            assertThatThrownBy(() -> page(query, T0, clock))
                    .isInstanceOf(NotReadyException.class)
                    .hasMessageContaining("namespace 'a'");
        } else {
            assertThat(page(query, T0, clock).events()).hasSize(1);
        }
    }

    /** A page of big events is short, and the next one continues after it. */
    @Test
    void shouldEndAPageThatIsBigEnough() {
        // given
        for (int i = 0; i < 12; i++) {
            put(event("a/" + i, "e" + i).payloadBytes(1 << 20), T0 + i);
        }

        // when
        ExpiringPage first = page(new ExpiringQuery("a", false, 5 * MAX_AGE, null, 100), T0, () -> 0);

        // then
        assertThat(first.events()).hasSize(8);
        assertThat(first.next()).isEqualTo(first.events().get(7).mark());
        assertThat(pages("a", T0, 5 * MAX_AGE, 100)).hasSize(12).doesNotHaveDuplicates();
    }

    private List<String> pages(String namespace, long nowMs, long withinMs, int limit) {
        List<String> ids = new ArrayList<>();
        DueMark after = null;
        do {
            ExpiringPage page = page(new ExpiringQuery(namespace, false, withinMs, after, limit), nowMs, () -> 0);
            assertThat(page.events()).hasSizeLessThanOrEqualTo(limit);
            page.events()
                    .forEach(one -> ids.add(one.event().event().event().id().value()));
            after = page.next();
        } while (after != null);
        return ids;
    }

    private ExpiringPage page(ExpiringQuery query, long nowMs, LongSupplier nanoClock) {
        return new ExpiringInNamespace(
                        this::reader, PARTITIONS, policies, query, nowMs, LocalEventQueries.PATIENCE, nanoClock)
                .page(partitions.keySet());
    }

    private ReadOnlyEventStore reader(int number) {
        return partitions.get(number).reader();
    }

    private void put(EventBuilder event, long nowMs) {
        var built = event.build();
        partitions.get(StreamPartition.of(built.stream(), PARTITIONS)).put(built, nowMs, policies);
    }
}
