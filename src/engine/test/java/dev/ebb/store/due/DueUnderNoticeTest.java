package dev.ebb.store.due;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.StoreProbe;
import dev.ebb.store.due.SoonestDue.Found;
import dev.ebb.store.forecast.StreamForecastTest;
import dev.ebb.store.read.StreamContext;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Readers see what falls due under the notice of an undo as due at its end, and not before (T-3, M-17). */
@Tag("T-3")
class DueUnderNoticeTest {

    @Test
    void shouldTellWhatWouldBeDueEarlierAsDueAtTheEnd() {
        int[] moved = {0};
        SeededCases.forAll(300, random -> {
            // given what falls due without notices
            StoreFixture fixture = StreamForecastTest.filled(random);
            for (int i = 0; i < random.nextInt(6); i++) {
                fixture.event(event("zz/" + i % 2, "o" + i));
            }
            EffectivePolicy policy = StreamForecastTest.effective(StreamForecastTest.randomPolicy(random));
            Map<String, Long> dueMs = new HashMap<>();
            walk(
                    fixture,
                    policy,
                    0,
                    Long.MAX_VALUE - 1,
                    (stream, due) -> dueMs.put(stream + due.event().id(), due.lastMs()));

            // when
            Map<String, Long> untilMs = new HashMap<>();
            for (StreamState stream : StoreProbe.streams(fixture.store)) {
                long until = fixture.nowMs + random.nextInt(4000) - 2000;
                untilMs.put(stream.stream().value(), until);
                stream.giveNotice(until);
                fixture.event(event(stream.stream().value(), "saved").status("running"));
            }
            long from = random.nextBoolean() ? 0 : fixture.nowMs - random.nextInt(4000);
            long until = fixture.nowMs - 2000 + random.nextInt(8000);

            // then
            List<String> expected = new ArrayList<>();
            dueMs.forEach((name, lastMs) -> {
                long effective = untilMs.entrySet().stream()
                        .filter(entry -> name.startsWith(entry.getKey()))
                        .mapToLong(entry -> Math.max(entry.getValue(), lastMs))
                        .findFirst()
                        .orElseThrow();
                moved[0] += effective > lastMs ? 1 : 0;
                if (from <= effective && effective <= until) {
                    expected.add(name + effective);
                }
            });
            List<String> walked = new ArrayList<>();
            walk(
                    fixture,
                    policy,
                    from,
                    until,
                    (stream, due) -> walked.add(stream + due.event().id() + due.lastMs()));
            assertThat(walked).containsExactlyInAnyOrderElementsOf(expected);
            List<Found> pages = pages(fixture, policy, from, until, 1 + random.nextInt(7));
            assertThat(pages.stream()
                            .map(one -> one.mark().stream()
                                    + one.id().value()
                                    + one.mark().lastMs()))
                    .containsExactlyInAnyOrderElementsOf(expected);
            assertThat(pages.stream().map(one -> one.mark().lastMs()).toList()).isSorted();
        });
        assertThat(moved[0]).as("moved at all").isPositive();
    }

    @ParameterizedTest
    @CsvSource({"-1, false", "0, false", "1, true"})
    void shouldHideFromTheMillisecondAfter(long ms, boolean isHidden) {
        // given
        StoreFixture fixture = new StoreFixture();
        RetentionPolicy policy =
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build();
        fixture.event(event("a", "old"));
        long untilMs = fixture.nowMs + 5000;
        StoreProbe.streams(fixture.store).forEach(stream -> stream.giveNotice(untilMs));
        fixture.event(event("a", "saved").status("running"));

        // when
        StreamContext stream = fixture.reader().context(new StreamName("a")).orElseThrow();
        StoredEvent old = fixture.reader().list(new StreamName("a"), null, 10).events().stream()
                .filter(stored -> stored.event().id().value().equals("old"))
                .findFirst()
                .orElseThrow();

        // then
        assertThat(stream.isHidden(old, StreamForecastTest.effective(policy), false, untilMs + ms))
                .isEqualTo(isHidden);
    }

    private interface Visitor {
        void due(StreamName stream, DueEvent due);
    }

    private static void walk(StoreFixture fixture, EffectivePolicy policy, long from, long until, Visitor visitor) {
        for (StreamContext stream : fixture.reader().contexts(null, null)) {
            stream.visitDue(policy, from, until, null, due -> {
                visitor.due(stream.stream(), due);
                return true;
            });
        }
    }

    private static List<Found> pages(StoreFixture fixture, EffectivePolicy policy, long from, long until, int page) {
        List<Found> all = new ArrayList<>();
        List<Found> next = List.of();
        do {
            DueMark after = next.isEmpty() ? null : next.get(next.size() - 1).mark();
            SoonestDue soonest = new SoonestDue(page, after, () -> true);
            fixture.reader()
                    .contexts(null, null)
                    .forEach(stream -> stream.visitDue(policy, from, until, null, soonest));
            next = soonest.found();
            all.addAll(next);
            assertThat(all).hasSizeLessThan(1000);
        } while (!next.isEmpty());
        return all;
    }
}
