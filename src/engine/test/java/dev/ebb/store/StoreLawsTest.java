package dev.ebb.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture.Removal;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.store.layout.Range;
import dev.ebb.store.read.StreamContext;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Laws of the store that hold after any sequence. */
class StoreLawsTest {

    @Test
    @Tag("I-3")
    @Tag("A-4")
    void shouldCountWhatARecountCounts() {
        SeededCases.forAll(300, random -> {
            StoreFixture fixture = new StoreFixture();
            StoreSteps steps = new StoreSteps(fixture, random);
            for (int step = 0; step < 60; step++) {
                steps.step();
                fixture.check();
                checkNamespaces(fixture);
            }
        });
    }

    @Test
    @Tag("O-2")
    void shouldRemoveTheSameInSlicesAsInOnePass() {
        SeededCases.forAll(500, random -> {
            long seed = random.nextLong();
            StoreFixture whole = StoreSteps.filled(new Random(seed));
            StoreFixture sliced = StoreSteps.filled(new Random(seed));

            List<Removal> inOnePass = whole.sweep();
            List<Removal> inSlices = sliced.sweep(1 + random.nextInt(3));

            assertThat(inSlices).containsExactlyInAnyOrderElementsOf(inOnePass);
            assertThat(sliced.events.contents().keySet())
                    .isEqualTo(whole.events.contents().keySet());
            sliced.check();
        });
    }

    @Test
    @Tag("I-2")
    void shouldLeaveNothingForASecondSweep() {
        SeededCases.forAll(500, random -> {
            StoreFixture fixture = StoreSteps.filled(random);

            fixture.sweep();

            assertThat(fixture.sweep()).isEmpty();
            checkNothingIsDue(fixture);
        });
    }

    @Test
    @Tag("I-7")
    void shouldSweepTheSameAfterARestart() {
        SeededCases.forAll(500, random -> {
            long seed = random.nextLong();
            StoreFixture before = StoreSteps.filled(new Random(seed));
            StoreFixture after = StoreSteps.filled(new Random(seed));

            after.reopen();

            assertThat(after.sweep()).containsExactlyInAnyOrderElementsOf(before.sweep());
        });
    }

    @Test
    @Tag("I-1")
    @Tag("M-4")
    @Tag("M-5")
    @Tag("M-18")
    void shouldNeverRemoveWhatIsHeldProtectedOrGuarded() {
        SeededCases.forAll(500, random -> {
            StoreFixture fixture = StoreSteps.filled(random);
            for (int sweep = 0; sweep < 4; sweep++) {
                Set<String> mustStay = MustStay.in(fixture);

                List<Removal> removed = fixture.sweep(1 + random.nextInt(5));

                assertThat(removed.stream().map(gone -> gone.stream() + "|" + gone.id()))
                        .doesNotContainAnyElementsOf(mustStay);
                checkNothingIsDue(fixture);
                fixture.nowMs += random.nextInt(2000);
            }
        });
    }

    @Test
    @Tag("O-5")
    @Tag("M-16")
    void shouldPredictOnAShadowWhatASweepRemoves() {
        SeededCases.forAll(500, random -> {
            StoreFixture fixture = StoreSteps.filled(random);
            var before = fixture.events.contents();
            int slice = 1 + random.nextInt(4);

            List<Removal> predicted = new ArrayList<>();
            for (StreamState stream : StoreProbe.streams(fixture.store)) {
                if (stream.policy().isEnforced()) {
                    predicted.addAll(fixture.predict(stream, slice));
                } else {
                    fixture.predict(stream, slice);
                }
            }

            assertThat(fixture.events.contents()).isEqualTo(before);
            fixture.check();
            assertThat(fixture.sweep()).containsExactlyInAnyOrderElementsOf(predicted);
        });
    }

    /** No reader is kept from an event that the sweep has left. */
    private static void checkNothingIsDue(StoreFixture fixture) {
        for (StreamState stream : StoreProbe.streams(fixture.store)) {
            EffectivePolicy policy = stream.policy();
            StreamContext context = fixture.reader().context(stream.stream()).orElseThrow();
            for (StoredEvent event : fixture.reader()
                    .list(stream.stream(), null, Integer.MAX_VALUE - 1)
                    .events()) {
                assertThat(policy.isEnforced()
                                && RetentionDecider.decide(
                                                context.facts(event),
                                                context.place(event, policy),
                                                policy,
                                                stream.cover(fixture.nowMs),
                                                fixture.nowMs)
                                        .isRemove())
                        .as("due after a sweep: " + event)
                        .isFalse();
            }
        }
    }

    private static void checkNamespaces(StoreFixture fixture) {
        NamespaceTotals all = fixture.store.namespaceTotals().values().stream()
                .reduce(NamespaceTotals.NOTHING, NamespaceTotals::plus);
        NamespaceTotals recount = StoreProbe.streams(fixture.store).stream()
                .map(stream -> new NamespaceTotals(
                        1,
                        stream.totalEvents(),
                        stream.totalBytes(),
                        stream.protectedEvents(),
                        free(stream, Range.INFINITE),
                        free(stream, Range.TIMED)))
                .reduce(NamespaceTotals.NOTHING, NamespaceTotals::plus);
        assertThat(all).isEqualTo(recount);
    }

    /** Events of the range that no execution protects. */
    private static long free(StreamState stream, Range range) {
        return stream.segments().stream()
                .filter(segment -> segment.execution().isTerminal())
                .mapToLong(segment -> segment.count(range))
                .sum();
    }
}
