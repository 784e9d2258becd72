package dev.ebb.store.due;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static dev.ebb.store.forecast.StreamForecastTest.STREAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.forecast.StreamForecastTest;
import dev.ebb.store.layout.Position;
import dev.ebb.store.read.StreamContext;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers find what comes due without reading what does not. */
class DueWalkTest {

    private static final EffectivePolicy THOUSAND_MS = StreamForecastTest.effective(
            RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build());

    @Test
    @Tag("M-17")
    void shouldFindWhatADecisionAboutEachEventFinds() {
        int[] found = {0};
        SeededCases.forAll(600, random -> {
            StoreFixture fixture = StreamForecastTest.filled(random);
            if (fixture.store.stream(STREAM) == null) {
                return;
            }
            // Half of the time the events lie in the order of another policy.
            RetentionPolicy policy = StreamForecastTest.randomPolicy(random);
            if (random.nextBoolean()) {
                fixture.policies(policy);
            }
            EffectivePolicy effective = StreamForecastTest.effective(policy);
            long from = random.nextBoolean() ? 0 : fixture.nowMs - random.nextInt(4000);
            long until = fixture.nowMs - 2000 + random.nextInt(8000);

            List<String> expected = naive(fixture, effective, from, until);
            found[0] += expected.size();
            assertThat(walk(fixture, effective, from, until, 1 + random.nextInt(5)))
                    .as("from %s until %s at %s under %s", from, until, fixture.nowMs, effective)
                    .containsExactlyInAnyOrderElementsOf(expected);
        });
        assertThat(found[0]).as("found at all").isPositive();
    }

    /** M-13: the last millisecond is in. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1})
    void shouldKnowTheLastMillisecond(long offset) {
        StoreFixture fixture = new StoreFixture();
        fixture.event(event(STREAM.value(), "aged"));
        fixture.event(event(STREAM.value(), "timed").expiresAt(T0 + 1000));

        List<String> until = walk(fixture, THOUSAND_MS, 0, T0 + 1000 + offset, 10);
        List<String> from = walk(fixture, THOUSAND_MS, T0 + 1000 + offset, T0 + 5000, 10);

        assertThat(until).hasSize(offset < 0 ? 0 : 2);
        assertThat(from).hasSize(offset > 0 ? 0 : 2);
    }

    /** M-13: whether anything may go is told from the record alone, to the millisecond. */
    @ParameterizedTest
    @CsvSource({"-1, false", "0, true", "1, true"})
    void shouldTellFromTheRecordWhetherAnythingMayGo(long offset, boolean mayGo) {
        StoreFixture fixture = new StoreFixture();
        fixture.event(event("aged", "e"));
        fixture.event(event("timed", "e").expiresAt(T0 + 1000));
        fixture.event(event("open", "e").execution(1));
        fixture.execution("open", 1, "running");

        assertThat(mayHaveDue(fixture, "aged", 0, T0 + 1000 + offset)).isEqualTo(mayGo);
        assertThat(mayHaveDue(fixture, "timed", 0, T0 + 1000 + offset)).isEqualTo(mayGo);
        assertThat(mayHaveDue(fixture, "open", 1, T0 + 1000 + offset)).isFalse();
    }

    /** Of two of the same millisecond the ordered one comes first, on every page; and no iterator stays open. */
    @Test
    void shouldShowThemInTheSameOrderAgain() {
        StoreFixture fixture = new StoreFixture();
        fixture.event(event(STREAM.value(), "timed").expiresAt(T0 + 1000));
        fixture.event(event(STREAM.value(), "aged"));

        assertThat(walk(fixture, THOUSAND_MS, 0, T0 + 5000, 1)).containsExactly("aged", "timed");
        assertThat(walk(fixture, THOUSAND_MS, 0, T0 + 5000, 9)).containsExactly("aged", "timed");
        assertThat(fixture.events.openIterators()).isZero();
    }

    private static boolean mayHaveDue(StoreFixture fixture, String stream, long execution, long untilMs) {
        Segment segment = Objects.requireNonNull(fixture.store.stream(new StreamName(stream)))
                .segment(execution);
        return DueWalk.mayHaveDue(Objects.requireNonNull(segment), THOUSAND_MS, untilMs);
    }

    /** The soonest first, whether by age or own TTL. */
    @Test
    void shouldShowTheSoonestFirst() {
        StoreFixture fixture = new StoreFixture();
        fixture.event(event(STREAM.value(), "b"));
        fixture.event(event(STREAM.value(), "c").expiresAt(T0 + 1500));
        fixture.event(event(STREAM.value(), "a").expiresAt(T0 + 500));
        fixture.nowMs += 900;
        fixture.event(event(STREAM.value(), "d"));

        assertThat(walk(fixture, THOUSAND_MS, 0, T0 + 5000, 1)).containsExactly("a", "b", "c", "d");
    }

    /** I-6 for readers: what lives is not read. */
    @Test
    @Tag("A-1")
    void shouldReadNoMoreThanWhatIsDue() {
        StoreFixture fixture = new StoreFixture();
        for (int i = 0; i < 3; i++) {
            fixture.event(event(STREAM.value(), "due" + i));
            fixture.event(event(STREAM.value(), "soon" + i).ttlSeconds(1));
        }
        fixture.nowMs += 5000;
        for (int i = 0; i < 2000; i++) {
            fixture.event(event(STREAM.value(), "live" + i));
            fixture.event(event(STREAM.value(), "timed" + i).ttlSeconds(1000));
            fixture.event(event(STREAM.value(), "pending" + i).status("pending"));
        }
        fixture.resetCounts();

        assertThat(walk(fixture, THOUSAND_MS, 0, T0 + 1000, 100)).hasSize(6);
        assertThat(fixture.operations()).isLessThan(40);

        fixture.resetCounts();
        StreamContext context = fixture.reader().context(STREAM).orElseThrow();
        assertThat(context.hasNothingDue(THOUSAND_MS, T0 + 999)).isTrue();
        assertThat(context.hasNothingDue(THOUSAND_MS, T0 + 1000)).isFalse();
        assertThat(fixture.operations()).isLessThan(3);
    }

    /** Where a list begins at the present, what is overdue is not read either. */
    @Test
    @Tag("A-1")
    void shouldBeginAtTheTimeThatIsAskedFor() {
        StoreFixture fixture = new StoreFixture();
        for (int i = 0; i < 2000; i++) {
            fixture.event(event(STREAM.value(), "overdue" + i));
            fixture.event(event(STREAM.value(), "late" + i).ttlSeconds(1));
        }
        fixture.nowMs += 5000;
        fixture.event(event(STREAM.value(), "live"));
        fixture.resetCounts();

        assertThat(walk(fixture, THOUSAND_MS, fixture.nowMs, fixture.nowMs + 1000, 100))
                .containsExactly("live");
        assertThat(fixture.operations()).isLessThan(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "", "d", "d-1", "d0-o1", "d0-t1-2", "d99999999999999999999", "l", "lzz", "d0 "})
    void shouldRefuseAForeignCursor(String cursor) {
        StoreFixture fixture = new StoreFixture();
        fixture.event(event(STREAM.value(), "a"));
        StreamContext context = fixture.reader().context(STREAM).orElseThrow();

        assertThatThrownBy(() -> context.visitDue(THOUSAND_MS, 0, T0 + 5000, cursor, due -> true))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A cursor of another stream leads to nothing of that stream. */
    @Test
    void shouldStayInItsStreamWhateverTheCursor() {
        StoreFixture fixture = new StoreFixture();
        fixture.event(event("other", "x"));
        fixture.event(event(STREAM.value(), "a"));
        fixture.event(event("zz", "y"));
        StreamContext context = fixture.reader().context(STREAM).orElseThrow();
        List<String> seen = new ArrayList<>();

        context.visitDue(
                THOUSAND_MS,
                0,
                T0 + 5000,
                "d0-o1-0-t1-1-0",
                due -> seen.add(due.event().id()));

        assertThat(seen).containsExactly("a");
    }

    private static List<String> walk(StoreFixture fixture, EffectivePolicy policy, long from, long until, int page) {
        List<String> found = new ArrayList<>();
        String cursor = null;
        do {
            int[] left = {page};
            cursor = fixture.reader().context(STREAM).orElseThrow().visitDue(policy, from, until, cursor, due -> {
                boolean isIn = left[0]-- > 0;
                if (isIn) {
                    found.add(due.event().id());
                }
                return isIn;
            });
            assertThat(found).hasSizeLessThan(1000 * page);
        } while (cursor != null);
        return found;
    }

    private static List<String> naive(StoreFixture fixture, EffectivePolicy policy, long from, long until) {
        StreamContext context = fixture.reader().context(STREAM).orElseThrow();
        List<StoredEvent> all =
                fixture.reader().list(STREAM, null, Integer.MAX_VALUE - 1).events();
        List<StoredEvent> eligible = all.stream()
                .filter(event -> !context.facts(event).isProtected())
                .filter(event -> !(event.ttl().noExpiration()
                        && policy.allowInfiniteTtl().value()))
                .sorted(Comparator.comparing(event -> Position.of(event, policy)))
                .toList();
        StreamState stream = context.state();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < eligible.size(); i++) {
            StoredEvent event = eligible.get(i);
            EventFacts facts = context.facts(event);
            long last = RetentionDecider.removableAtMs(facts, policy);
            Place place = Place.WITHIN_CAPS
                    .withNewer(eligible.size() - 1L - i)
                    .inExecution(stream.rank(stream.segment(event.event().execution())));
            if (from <= last
                    && last <= until
                    && RetentionDecider.decide(facts, place, policy, last + 1).isRemove()) {
                ids.add(event.event().id().value());
            }
        }
        return ids;
    }
}
