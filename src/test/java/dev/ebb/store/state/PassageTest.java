package dev.ebb.store.state;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.events.SegmentExtent;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
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
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The laws of a pass while events come and go between its slices. */
@Tag("A-3")
@Tag("O-2")
class PassageTest {

    private static final List<Range> ELIGIBLE = List.of(Range.ORDERED, Range.TIMED);
    private static final int EVENTS = 30;
    private static final int CASES = 400;

    @Test
    void shouldKeepItsLawsSideBySide() {
        SeededCases.forAFew(CASES, random -> new Play(random, Passage.sideBySide(ELIGIBLE)).run());
    }

    @Test
    void shouldKeepItsLawsOneByOne() {
        SeededCases.forAFew(CASES, random -> new Play(random, Passage.oneByOne(ELIGIBLE)).run());
    }

    /** Law 5: what is read at once is bounded in bytes, not in events alone. */
    @Test
    @Tag("A-8")
    void shouldReadNoMoreAtOnceThanAMebibyteAndOneEvent() {
        // given
        StoreFixture fixture = new StoreFixture();
        for (int i = 0; i < 40; i++) {
            fixture.event(event("a", "e" + i).payloadBytes(100_000));
        }
        StreamState stream = Objects.requireNonNull(fixture.store.stream(new StreamName("a")));
        fixture.resetCounts();

        // when the first event ends the slice
        Passage.sideBySide(ELIGIBLE)
                .slice(fixture.events, new SegmentExtent(stream.root()), budget(), (range, key, value) -> Outcome.END);

        // then
        assertThat(fixture.events.walked).isLessThanOrEqualTo(12);
    }

    private static SweepBudget budget() {
        return new SweepBudget(1, Long.MAX_VALUE / 2, System::nanoTime);
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
            fixture.store.streams().forEach(known -> {});
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
            SweepBudget budget = budget();
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
