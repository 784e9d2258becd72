package dev.ebb.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventRules;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class EventGeneratorTest {

    private static final int EVENTS = 50_000;
    private static final int STREAMS = 1000;
    private static final long END = 1_700_000_000_000L;
    private static final Offset<Double> PERMILLE_3 = within(0.003);

    @Test
    void shouldMakeTheSameEventsFromTheSameSeed() {
        // when
        List<EventGenerator.Timed> once = events(1);
        List<EventGenerator.Timed> again = events(1);

        // then
        assertThat(again).isEqualTo(once);
        assertThat(events(2)).isNotEqualTo(once);
    }

    @Test
    void shouldKeepToTheSharesOfTheLoad() {
        // when
        List<EventGenerator.Timed> events = events(1);

        // then
        assertThat(share(events, next -> "pending".equals(next.event().status())))
                .isCloseTo(0.05, PERMILLE_3);
        assertThat(share(events, next -> occurredAt(next) < next.timestampMs())).isCloseTo(0.05, PERMILLE_3);
        assertThat(share(events, next -> next.event().ttl().isFinite())).isCloseTo(0.01, PERMILLE_3);
        assertThat(1 - (double) identities(events).size() / EVENTS).isCloseTo(0.01, PERMILLE_3);
        assertThat(events).allMatch(next -> next.event().payload().length == 200);
    }

    @Test
    void shouldFavourStreamsByZipfsLaw() {
        // when
        Map<String, Integer> counts = new HashMap<>();
        events(1).forEach(next -> counts.merge(next.event().stream().value(), 1, Integer::sum));

        // then
        List<Integer> sorted = counts.values().stream().sorted((a, b) -> b - a).toList();
        assertThat((double) sorted.get(0) / sorted.get(1)).isCloseTo(2.0, within(0.2));
        assertThat((double) sorted.get(0) / sorted.get(9)).isCloseTo(10.0, within(1.5));
    }

    @Test
    void shouldMakeNothingThatIsRejectedOrDue() {
        // when
        List<EventGenerator.Timed> events = events(1);

        // then
        assertThat(events)
                .allMatch(next -> EventRules.problem(next.event(), next.timestampMs(), END) == null)
                .allMatch(next -> END - occurredAt(next) < 86_400_000L + 3_600_000L + 1)
                .allMatch(next -> next.event().ttl().ttlSeconds() == null
                        || occurredAt(next) + next.event().ttl().ttlSeconds() * 1000 > END);
    }

    @Test
    void shouldSayWhichIdsWereThereBefore() {
        // when
        Set<String> seen = new HashSet<>();

        // then
        assertThat(events(1)).allMatch(next -> seen.add(identity(next.event())) != next.isRepeat());
    }

    @Test
    void shouldBeginWithProtectedEvents() {
        // when
        List<EventGenerator.Timed> events = events(Mix.PLAIN.protectedFirst(100));

        // then
        assertThat(events.subList(0, 100))
                .allMatch(next -> "pending".equals(next.event().status()));
        assertThat(events.subList(100, EVENTS))
                .allMatch(next -> "completed".equals(next.event().status()));
    }

    @Test
    void shouldBeginWithEachStream() {
        // when
        List<EventGenerator.Timed> events = events(Mix.USUAL.eachStreamFirst());

        // then
        assertThat(events.subList(0, STREAMS).stream()
                        .map(next -> next.event().stream())
                        .distinct())
                .hasSizeGreaterThan(STREAMS * 98 / 100);
    }

    @Test
    void shouldLetEventsHappenBeforeTheirRecords() {
        // when
        List<EventGenerator.Timed> events = events(Mix.PLAIN.ago(Duration.ofDays(7)));

        // then
        assertThat(events)
                .allMatch(next -> next.timestampMs() == END)
                .allMatch(next -> occurredAt(next) == END - 7 * 86_400_000L);
    }

    @Test
    void shouldMakeHalfOfThePayloadsOfJson() {
        // when
        List<EventGenerator.Timed> events = events(1);

        // then
        assertThat(share(events, next -> "application/json".equals(next.event().contentType())))
                .isCloseTo(0.5, within(0.01));
        assertThat(events)
                .allSatisfy(next -> assertThat(next.event().payload()).hasSize(200))
                .filteredOn(next -> "application/json".equals(next.event().contentType()))
                .allSatisfy(next -> assertThat(new String(next.event().payload(), StandardCharsets.UTF_8))
                        .startsWith("{\"order\":")
                        .endsWith("\"}"))
                .extracting(next -> new String(next.event().payload(), StandardCharsets.UTF_8))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldKnowAnEventAgainByItsStoredFields() {
        assertThat(events(1)).allSatisfy(next -> {
            Event event = next.event();
            assertThat(EventGenerator.event(
                            event.stream(), event.id(), event.status(), occurredAt(next), event.ttl(), event.payload()))
                    .isEqualTo(event);
        });
    }

    private static List<EventGenerator.Timed> events(long seed) {
        return events(seed, Mix.USUAL);
    }

    private static List<EventGenerator.Timed> events(Mix mix) {
        return events(1, mix);
    }

    private static List<EventGenerator.Timed> events(long seed, Mix mix) {
        List<EventGenerator.Timed> events = new ArrayList<>();
        new Workload(seed, EVENTS, STREAMS, 4, END, mix).generator().forEachRemaining(events::add);
        return events;
    }

    private static double share(List<EventGenerator.Timed> events, Predicate<EventGenerator.Timed> kind) {
        return (double) events.stream().filter(kind).count() / events.size();
    }

    private static long occurredAt(EventGenerator.Timed next) {
        return Objects.requireNonNull(next.event().occurredAt());
    }

    private static Set<String> identities(List<EventGenerator.Timed> events) {
        Set<String> identities = new HashSet<>();
        for (EventGenerator.Timed next : events) {
            Event event = next.event();
            identities.add(identity(event));
        }
        return identities;
    }

    private static String identity(Event event) {
        return event.stream() + "\n" + event.id();
    }
}
