package dev.ebb.store.pass;

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
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Passage.Outcome;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The way of a prune knows at all times how much is ahead of it, whatever comes and goes between its slices. */
@Tag("O-9")
@Tag("A-3")
class PrunePassTest {

    private static final int CASES = 100;
    private static final int EVENTS = 20;

    @Test
    void shouldKnowWhatIsAheadWhateverComesAndGoes() {
        SeededCases.forAFew(CASES, random -> new Play(random).run());
    }

    @Test
    @Tag("O-2")
    void shouldLookForNewcomersOneByOne() {
        // given
        StoreFixture fixture = filled(0, EVENTS);
        StreamState stream = stream(fixture);
        PrunePass pass = new PrunePass(stream, stream.nextSeq() - 1);

        // when
        int slices = slices(() -> pass.findNewcomers(fixture.events, briefly()));

        // then
        assertThat(slices).isEqualTo(EVENTS + 1);
        assertThat(pass.ahead()).isEqualTo(EVENTS - 1);
    }

    @Test
    @Tag("O-2")
    void shouldLookForNoNewcomersWhereNoneHasCome() {
        // given
        StoreFixture fixture = filled(0, EVENTS);
        StreamState stream = stream(fixture);
        fixture.resetCounts();

        // when
        PrunePass pass = new PrunePass(stream, stream.nextSeq());

        // then
        assertThat(pass.findNewcomers(fixture.events, briefly())).isTrue();
        assertThat(fixture.operations()).isZero();
        assertThat(pass.ahead()).isEqualTo(EVENTS);
    }

    @Test
    void shouldEndAWeighingAtTheFirstEventThatIsTooMuch() {
        // given
        StoreFixture fixture = filled(1, EVENTS);
        StreamState stream = stream(fixture);
        Segment segment = Objects.requireNonNull(stream.segment(1));
        PrunePass pass = new PrunePass(stream, stream.nextSeq());

        // then
        assertThat(pass.enterExecution(1)).isTrue();
        pass.weigh(EVENTS);
        assertThat(slices(() -> pass.isWeighed(fixture.events, segment, briefly())))
                .isEqualTo(EVENTS + 1);
        assertThat(pass.isTooHeavy()).isFalse();
        assertThat(pass.enterExecution(1)).isFalse();

        // when one less may go
        pass.weigh(EVENTS - 1);

        // then
        assertThat(slices(() -> pass.isWeighed(fixture.events, segment, briefly())))
                .isEqualTo(EVENTS);
        assertThat(pass.isTooHeavy()).isTrue();
    }

    /** Removed events are not looked for, and all others are. */
    @Test
    void shouldWeighAllThatIsLeftWhenAnEventBehindItGoes() {
        // given
        StoreFixture fixture = filled(1, EVENTS);
        StreamState stream = stream(fixture);
        Segment segment = Objects.requireNonNull(stream.segment(1));
        PrunePass pass = new PrunePass(stream, stream.nextSeq());
        stream.attach(pass);
        pass.enterExecution(1);
        pass.weigh(EVENTS - 1);
        for (int slice = 0; slice < 5; slice++) {
            assertThat(pass.isWeighed(fixture.events, segment, briefly())).isFalse();
        }

        // when
        fixture.remove("a", "e0");

        // then
        assertThat(slices(() -> pass.isWeighed(fixture.events, segment, briefly())))
                .isEqualTo(EVENTS - 5);
        assertThat(pass.isTooHeavy()).isTrue();
    }

    private static StoreFixture filled(long execution, int events) {
        StoreFixture fixture = new StoreFixture();
        for (int i = 0; i < events; i++) {
            fixture.event(event("a", "e" + i).execution(execution));
        }
        return fixture;
    }

    private static StreamState stream(StoreFixture fixture) {
        return Objects.requireNonNull(fixture.store.stream(new StreamName("a")));
    }

    private static int slices(BooleanSupplier slice) {
        int slices = 1;
        while (!slice.getAsBoolean()) {
            assertThat(slices++).isLessThan(10_000);
        }
        return slices;
    }

    /** Its time is up with the first step. */
    private static SweepBudget briefly() {
        return new SweepBudget(1000, 0, System::nanoTime);
    }

    /** One way of a prune, and changes of the stream between its slices. */
    private static final class Play {

        private final StoreFixture fixture = new StoreFixture();
        private final Random random;
        private final StreamState stream;
        private final long firstNewcomer;
        private final PrunePass pass;
        private byte[] lastPassed = {};
        private boolean isDone;

        Play(Random random) {
            this.random = random;
            fixture.policies(
                    RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
            for (int i = 0; i < EVENTS; i++) {
                put("e" + i);
            }
            put("stays");
            stream = stream(fixture);
            firstNewcomer = stream.nextSeq();
            for (int i = random.nextInt(5); i > 0; i--) {
                change();
            }
            pass = new PrunePass(stream, firstNewcomer);
            stream.attach(pass);
        }

        void run() {
            int changes = EVENTS;
            while (!pass.findNewcomers(fixture.events, briefly())) {
                if (changes-- > 0) {
                    change();
                }
            }
            assertThat(pass.enterEvents()).isTrue();
            check();
            while (!isDone) {
                isDone = slice();
                check();
                for (int i = random.nextInt(3); i > 0 && changes-- > 0; i--) {
                    change();
                    check();
                }
            }
            assertThat(pass.enterEvents()).isFalse();
        }

        private boolean slice() {
            SweepBudget budget = briefly();
            return pass.slice(fixture.events, stream.root(), budget, (range, key, value) -> {
                budget.spendStep();
                lastPassed = withoutRange(key);
                String id = StoredEventCodec.decodeHeader(value).id();
                if (random.nextBoolean() || id.equals("stays")) {
                    return Outcome.STAYS;
                }
                fixture.remove("a", id);
                return Outcome.GONE;
            });
        }

        private void change() {
            String id = "e" + random.nextInt(2 * EVENTS);
            switch (random.nextInt(4)) {
                case 0 -> fixture.remove("a", id);
                case 1 -> fixture.status("a", id, random.nextBoolean() ? "running" : "completed", T0);
                default -> put(id);
            }
        }

        private void put(String id) {
            var event = event("a", id).occurredAt(T0 - random.nextInt(50));
            fixture.event(random.nextInt(3) == 0 ? event.ttl(OwnTtl.of(null, T0 + 1_000_000, false)) : event);
        }

        private void check() {
            assertThat(pass.ahead()).as("ahead").isEqualTo(isDone ? 0 : recounted());
        }

        private long recounted() {
            long ahead = 0;
            for (Range range : new Range[] {Range.ORDERED, Range.TIMED}) {
                ahead += fixture
                        .events
                        .contents()
                        .subMap(EventKeys.start(range, stream.sid()), EventKeys.end(range, stream.sid()))
                        .keySet()
                        .stream()
                        .filter(key -> EventKeys.positionOf(key).seq() < firstNewcomer)
                        .filter(key -> Arrays.compareUnsigned(withoutRange(key), lastPassed) > 0)
                        .count();
            }
            return ahead;
        }

        private static byte[] withoutRange(Bytes key) {
            return Arrays.copyOfRange(key.get(), 1, key.get().length);
        }
    }
}
