package dev.ebb.store.due;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.due.SoonestDue.Found;
import dev.ebb.store.forecast.StreamForecastTest;
import dev.ebb.store.read.StreamContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The soonest events of many streams are found page by page, and no more is read for a page than it needs. */
@Tag("M-17")
class SoonestDueTest {

    private static final EffectivePolicy THOUSAND_MS = StreamForecastTest.effective(
            RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build());

    @Test
    void shouldFindWhatAWalkThroughEachStreamFindsInTheOrderOfTime() {
        int[] found = {0};
        SeededCases.forAll(400, random -> {
            StoreFixture fixture = StreamForecastTest.filled(random);
            RetentionPolicy policy = StreamForecastTest.randomPolicy(random);
            addOthers(fixture, random);
            if (random.nextBoolean()) {
                fixture.policies(policy);
            }
            EffectivePolicy effective = StreamForecastTest.effective(policy);
            long from = random.nextBoolean() ? 0 : fixture.nowMs - random.nextInt(4000);
            long until = fixture.nowMs - 2000 + random.nextInt(8000);

            List<String> expected = walked(fixture, effective, from, until);
            List<Found> pages = pages(fixture, effective, from, until, 1 + random.nextInt(7));

            found[0] += expected.size();
            assertThat(pages.stream().map(SoonestDueTest::name))
                    .as("from %s until %s at %s under %s", from, until, fixture.nowMs, effective)
                    .containsExactlyInAnyOrderElementsOf(expected);
            assertThat(pages.stream().map(one -> one.mark().lastMs()).toList()).isSorted();
            assertThat(fixture.events.openIterators()).isZero();
        });
        assertThat(found[0]).as("found at all").isPositive();
    }

    /** M-13: the last millisecond is in. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1})
    @Tag("M-13")
    void shouldKnowTheLastMillisecond(long offset) {
        StoreFixture fixture = new StoreFixture();
        fixture.event(event("a", "aged"));
        fixture.event(event("b", "timed").expiresAt(T0 + 1000));

        assertThat(pages(fixture, THOUSAND_MS, 0, T0 + 1000 + offset, 9)).hasSize(offset < 0 ? 0 : 2);
        assertThat(pages(fixture, THOUSAND_MS, T0 + 1000 + offset, T0 + 5000, 9))
                .hasSize(offset > 0 ? 0 : 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 100})
    void shouldPassOneMillisecondInPages(int page) {
        // given events of one millisecond: by age, by own TTL, and of an execution that ended as a whole
        StoreFixture fixture = new StoreFixture();
        for (int i = 0; i < 3; i++) {
            fixture.event(event("a", "aged" + i));
            fixture.event(event("a", "timed" + i).expiresAt(T0 + 1000));
            fixture.event(event("b", "of execution" + i).execution(7));
        }
        fixture.execution(new ExecutionUpdate(new StreamName("b"), 7, "completed", null, null, T0), T0);

        // then
        assertThat(pages(fixture, THOUSAND_MS, 0, T0 + 5000, page))
                .hasSize(9)
                .doesNotHaveDuplicates()
                .isSorted();
    }

    /** Paging through a million events of one millisecond must not read earlier ones again on each page. */
    @Test
    @Tag("A-1")
    void shouldReadNoMoreForAPageThanItNeeds() {
        // given
        StoreFixture fixture = new StoreFixture();
        for (int i = 0; i < 2000; i++) {
            fixture.event(event("a", "aged" + i));
            fixture.event(event("a", "timed" + i).expiresAt(T0 + 1000));
        }
        fixture.event(event("b", "first").expiresAt(T0 + 1));
        List<Found> half = found(fixture, THOUSAND_MS, 0, T0 + 5000, 2001, null);
        DueMark middle = half.get(half.size() - 1).mark();

        // when
        fixture.resetCounts();
        List<Found> next = found(fixture, THOUSAND_MS, 0, T0 + 5000, 5, middle);

        // then
        assertThat(name(half.get(0))).isEqualTo("b first");
        assertThat(next).hasSize(5).allMatch(one -> one.mark().compareTo(middle) > 0);
        assertThat(fixture.operations()).isLessThan(60);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldSayThatItWasBrokenOff(int looks) {
        // given
        StoreFixture fixture = new StoreFixture();
        fixture.event(event("a", "e"));
        int[] left = {looks};
        SoonestDue soonest = new SoonestDue(5, null, () -> left[0]-- > 0);

        // when
        fixture.reader()
                .contexts(null, null)
                .forEach(stream -> stream.visitDue(THOUSAND_MS, 0, T0 + 5000, null, soonest));

        // then: a look at the stream and one at its event
        assertThat(soonest.isBrokenOff()).isEqualTo(looks < 2);
        assertThat(soonest.found()).hasSize(looks < 2 ? 0 : 1);
    }

    private static void addOthers(StoreFixture fixture, Random random) {
        IntStream.range(0, random.nextInt(6)).forEach(i -> {
            String stream = List.of("a", "zz", "zz/" + i).get(random.nextInt(3));
            fixture.nowMs += random.nextInt(3);
            fixture.event(
                    random.nextBoolean()
                            ? event(stream, "o" + i)
                            : event(stream, "o" + i).expiresAt(fixture.nowMs + random.nextInt(3000)));
        });
    }

    private static List<String> walked(StoreFixture fixture, EffectivePolicy policy, long from, long until) {
        List<String> names = new ArrayList<>();
        for (StreamContext stream : fixture.reader().contexts(null, null)) {
            stream.visitDue(
                    policy,
                    from,
                    until,
                    null,
                    due -> names.add(stream.stream() + " " + due.event().id()));
        }
        return names;
    }

    private static List<Found> pages(StoreFixture fixture, EffectivePolicy policy, long from, long until, int page) {
        List<Found> all = new ArrayList<>();
        List<Found> next = List.of();
        do {
            DueMark after = next.isEmpty() ? null : next.get(next.size() - 1).mark();
            next = found(fixture, policy, from, until, page, after);
            all.addAll(next);
            assertThat(all).hasSizeLessThan(1000);
        } while (!next.isEmpty());
        return all;
    }

    private static List<Found> found(
            StoreFixture fixture, EffectivePolicy policy, long from, long until, int limit, DueMark after) {
        SoonestDue soonest = new SoonestDue(limit, after, () -> true);
        fixture.reader().contexts(null, null).forEach(stream -> stream.visitDue(policy, from, until, null, soonest));
        return soonest.found();
    }

    private static String name(Found found) {
        return found.mark().stream() + " " + found.id();
    }
}
