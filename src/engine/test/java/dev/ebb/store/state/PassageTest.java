package dev.ebb.store.state;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.StoreProbe;
import dev.ebb.store.events.SegmentExtent;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Passage.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The laws of a pass while events come and go between its slices. */
@Tag("A-3")
@Tag("O-2")
class PassageTest {

    private static final List<Range> ELIGIBLE = List.of(Range.ORDERED, Range.TIMED);
    private static final int EVENTS = 30;
    private static final int CASES = 100;

    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldKeepItsLawsSideBySide() {
        SeededCases.forAFew(CASES, random -> new Play(random, Passage.sideBySide(ELIGIBLE)).run());
    }

    @Test
    void shouldKeepItsLawsOneByOne() {
        SeededCases.forAFew(CASES, random -> new Play(random, Passage.oneByOne(ELIGIBLE)).run());
    }

    /** Law 5: what is read at once is bounded in bytes, not in events alone. */
    @ParameterizedTest
    @CsvSource({"-1, 2", "0, 1", "1, 1"})
    @Tag("A-8")
    void shouldAddNoEventToAMebibyteOfThem(int more, int read) {
        // given
        fill(3, payloadOf(Passage.MOST_BYTES + more));
        fixture.resetCounts();

        // when the first event ends the pass
        slice(Passage.sideBySide(ELIGIBLE), budget(1000), id -> Outcome.END);

        // then
        assertThat(fixture.events.walked).isEqualTo(read);
    }

    @ParameterizedTest
    @CsvSource({"255, 255", "256, 256", "257, 256"})
    @Tag("A-8")
    void shouldReadNoMoreAtOnceThanMayGo(int deletes, int read) {
        // given
        fill(300, 1);
        fixture.resetCounts();

        // when the first event ends the pass
        slice(Passage.sideBySide(ELIGIBLE), budget(deletes), id -> Outcome.END);

        // then
        assertThat(fixture.events.walked).isEqualTo(read);
    }

    @Test
    @Tag("A-2")
    void shouldRaiseTheHeadToTheFirstEventThatStays() {
        // given
        fill(5, 1);

        // when
        slice(Passage.sideBySide(ELIGIBLE), budget(3), id -> id.equals("e2") ? Outcome.STAYS : Outcome.GONE);

        // then
        assertThat(head(Range.ORDERED)).isEqualTo(position("e2"));
    }

    @Test
    @Tag("A-2")
    void shouldRaiseTheHeadFromAnEventAtWhichItHadEnded() {
        // given
        fill(2, 1);
        Passage passage = Passage.sideBySide(ELIGIBLE);
        slice(passage, budget(1), id -> Outcome.END);
        assertThat(head(Range.ORDERED)).isEqualTo(position("e0"));
        Position first = position("e0");

        // when
        slice(passage, budget(1), id -> Outcome.GONE);

        // then
        assertThat(head(Range.ORDERED)).isGreaterThan(first).isLessThanOrEqualTo(position("e1"));
    }

    @Test
    @Tag("A-2")
    void shouldRaiseTheHeadOfALaterRangeToo() {
        // given
        fill(2, 1);
        fixture.event(event("a", "t0").expiresAt(T0 + 1));
        fixture.event(event("a", "t1").expiresAt(T0 + 1));

        // when
        slice(Passage.oneByOne(ELIGIBLE), budget(4), id -> id.equals("t1") ? Outcome.STAYS : Outcome.GONE);

        // then
        assertThat(head(Range.ORDERED)).isNull();
        assertThat(head(Range.TIMED)).isEqualTo(position("t1"));
    }

    @Test
    @Tag("A-2")
    void shouldRaiseTheHeadOverWhatItRemovedBeforeItFailed() {
        // given
        fill(2, 1);
        Position first = position("e0");

        // when
        assertThatThrownBy(() -> slice(Passage.sideBySide(ELIGIBLE), budget(2), id -> {
                    if (id.equals("e1")) {
                        throw new IllegalStateException("damaged");
                    }
                    return Outcome.GONE;
                }))
                .hasMessage("damaged");

        // then
        assertThat(head(Range.ORDERED)).isGreaterThan(first).isLessThanOrEqualTo(position("e1"));
    }

    /** Behind the last event there may be tombstones without end. */
    @Test
    @Tag("A-2")
    void shouldReadNoFurtherThanTheCountGoes() {
        // given
        fill(6, 1);
        for (String id : List.of("e3", "e4", "e5")) {
            fixture.remove("a", id);
        }
        Passage passage = Passage.sideBySide(ELIGIBLE);
        slice(passage, budget(2), id -> Outcome.STAYS);
        fixture.resetCounts();

        // when
        slice(passage, budget(10), id -> Outcome.STAYS);

        // then
        assertThat(passage.isDone()).isTrue();
        assertThat(fixture.events.iterators).isEqualTo(1);
        assertThat(fixture.events.walked).isEqualTo(1);
    }

    @Test
    @Tag("I-3")
    void shouldSayThatMoreIsCountedThanThereIs() {
        // given
        fill(2, 1);
        fixture.events.put(EventKeys.positional(Range.ORDERED, stream().sid(), position("e1")), null);
        Passage passage = Passage.sideBySide(ELIGIBLE);

        // when
        boolean isDone = passage.slice(
                fixture.events, new SegmentExtent(stream().root()), budget(10), (range, key, value) -> Outcome.STAYS);

        // then
        assertThat(isDone).isFalse();
        assertThat(stream().isSuspect()).isTrue();
    }

    private void fill(int events, int payloadBytes) {
        for (int i = 0; i < events; i++) {
            fixture.event(event("a", "e" + i).payloadBytes(payloadBytes));
        }
    }

    /** The size of the payload of an event that takes so many bytes in the store. */
    private static int payloadOf(int storedBytes) {
        StoreFixture other = new StoreFixture();
        other.event(event("a", "e0").payloadBytes(storedBytes));
        StreamState stream = Objects.requireNonNull(other.store.stream(new StreamName("a")));
        Location location = Objects.requireNonNull(other.store.events().locationOf(stream, "e0"));
        return 2 * storedBytes - other.events.get(location.key(stream.sid(), "e0")).length;
    }

    /** One slice, in which what is gone is removed. */
    private void slice(Passage passage, SweepBudget budget, Function<String, Outcome> outcomes) {
        passage.slice(fixture.events, new SegmentExtent(stream().root()), budget, (range, key, value) -> {
            budget.spendDelete();
            String id = StoredEventCodec.decodeHeader(value).id();
            Outcome outcome = outcomes.apply(id);
            if (outcome == Outcome.GONE) {
                fixture.remove("a", id);
            }
            return outcome;
        });
    }

    private Position head(Range range) {
        return stream().root().heads().of(range);
    }

    private Position position(String id) {
        return Objects.requireNonNull(fixture.store.events().locationOf(stream(), id))
                .position();
    }

    private StreamState stream() {
        return Objects.requireNonNull(fixture.store.stream(new StreamName("a")));
    }

    private static SweepBudget budget(int deletes) {
        return new SweepBudget(deletes, Long.MAX_VALUE / 2, System::nanoTime);
    }

    /** One pass that leaves some events standing and removes others, while the test changes the stream. */
    private static final class Play {

        private final StoreFixture fixture = new StoreFixture();
        private final Random random;
        private final Passage passage;
        private final StreamState stream;
        private final Map<String, Bytes> there = new HashMap<>();
        private final Set<String> shown = new HashSet<>();

        Play(Random random, Passage passage) {
            this.random = random;
            this.passage = passage;
            fixture.policies(
                    RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
            for (int i = 0; i < EVENTS; i++) {
                put("e" + i);
            }
            put("stays");
            this.stream = Objects.requireNonNull(fixture.store.stream(new StreamName("a")));
            stream.attach(new StreamPass() {
                @Override
                public void note(long execution, EventHeader event, Location location, int sign) {
                    passage.note(stream.sid(), location, event.id(), sign);
                }

                @Override
                public void rearranged() {}
            });
            StoreProbe.streams(fixture.store).forEach(known -> {});
            live().forEach((id, location) -> there.put(id, location.key(stream.sid(), id)));
        }

        void run() {
            for (int slices = 0; !slice(); slices++) {
                assertThat(slices).isLessThan(10_000);
                checkLaws();
                if (slices < EVENTS) {
                    change();
                    checkLaws();
                }
            }
            checkLaws();
            // Law 2: whatever stayed where it was from the beginning to the end was shown.
            live().forEach((id, location) -> {
                if (location.key(stream.sid(), id).equals(there.get(id))) {
                    assertThat(shown).as("shown of " + there.keySet()).contains(id);
                }
            });
        }

        private boolean slice() {
            SweepBudget budget = budget(1 + random.nextInt(3));
            return passage.slice(fixture.events, new SegmentExtent(stream.root()), budget, (range, key, value) -> {
                budget.spendDelete();
                EventHeader event = StoredEventCodec.decodeHeader(value);
                // Law 1: it is shown as it is stored at this moment.
                assertThat(fixture.events.get(key)).isEqualTo(value);
                shown.add(event.id());
                if (random.nextBoolean() || event.id().equals("stays")) {
                    return Outcome.STAYS;
                }
                remove(event.id());
                return Outcome.GONE;
            });
        }

        private void change() {
            String id = "e" + random.nextInt(EVENTS);
            if (random.nextInt(3) == 0) {
                remove(id);
            } else {
                put(id);
                there.remove(id);
            }
        }

        private void put(String id) {
            var event = event("a", id).occurredAt(T0 - random.nextInt(50));
            fixture.event(random.nextInt(3) == 0 ? event.ttl(OwnTtl.of(null, T0 + 1_000_000, false)) : event);
        }

        private void remove(String id) {
            fixture.remove("a", id);
        }

        private Map<String, Location> live() {
            Map<String, Location> live = new HashMap<>();
            List<String> ids = new ArrayList<>(List.of("stays"));
            for (int i = 0; i < EVENTS; i++) {
                ids.add("e" + i);
            }
            for (String id : ids) {
                Location location = fixture.store.events().locationOf(streamNow(), id);
                if (location != null) {
                    live.put(id, location);
                }
            }
            return live;
        }

        private StreamState streamNow() {
            return Objects.requireNonNull(fixture.store.stream(new StreamName("a")));
        }

        /** Laws 3 and 4. */
        private void checkLaws() {
            for (Range range : ELIGIBLE) {
                long behind = live().entrySet().stream()
                        .filter(entry -> entry.getValue().range() == range)
                        .filter(entry -> passage.isBehind(stream.sid(), entry.getValue(), entry.getKey()))
                        .count();
                assertThat(passage.behind(range)).as("behind in " + range).isEqualTo(behind);
            }
            fixture.check();
        }
    }
}
