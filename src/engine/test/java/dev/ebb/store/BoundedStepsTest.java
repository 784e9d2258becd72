package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.SeededCases;
import dev.ebb.store.pass.Pruning;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No step of a command or sweep grows with the stream that it is about: the shortest slice gets on, and does little (O-2, O-11). */
@Tag("O-2")
@Tag("O-11")
class BoundedStepsTest {

    /** Of the stores, in a slice that ends as soon as it may: entries are read in batches of up to 256. */
    private static final long MOST_IN_A_SLICE = 300;

    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldLookForACompletionInSlices() {
        // given
        fill("a", 500);
        fixture.remove("a", "e499");
        StreamState stream = stream("a");

        // when
        int slices = slices(() -> fixture.store.findCompletion(stream, briefly()));

        // then
        assertThat(slices).isGreaterThan(100);
        assertThat(fixture.store.completionMs(stream)).isEqualTo(T0 + 498);
    }

    @Test
    void shouldKnowACompletionThatIsLaterThanAllThatWent() {
        // given
        fill("a", 50);
        fixture.remove("a", "e49");
        fixture.event(event("a", "new").completedAt(T0 + 49));
        fixture.resetCounts();

        // when
        boolean isKnown = fixture.store.findCompletion(stream("a"), briefly());

        // then
        assertThat(isKnown).isTrue();
        assertThat(fixture.store.completionMs(stream("a"))).isEqualTo(T0 + 49);
        assertThat(fixture.operations()).isZero();
    }

    @Test
    void shouldFindTheCompletionOfTheMomentWhateverComesAndGoesMeanwhile() {
        SeededCases.forAFew(200, random -> {
            StoreFixture own = new StoreFixture();
            for (int i = 0; i < 40; i++) {
                change(own, random);
            }
            own.event(event("a", "stays").completedAt(T0));
            StreamState stream = own.store.stream(new StreamName("a"));
            for (int i = 0; !own.store.findCompletion(stream, briefly()); i++) {
                assertThat(i).isLessThan(10_000);
                if (i < 60) {
                    change(own, random);
                }
            }
            long latest = own.reader().list(new StreamName("a"), null, 1000).events().stream()
                    .mapToLong(stored -> stored.event().completedAt() == null
                            ? -1
                            : stored.event().completedAt())
                    .max()
                    .orElseThrow();
            assertThat(own.store.completionMs(stream)).isEqualTo(latest);
        });
    }

    private static void change(StoreFixture own, Random random) {
        String id = "e" + random.nextInt(30);
        if (random.nextInt(3) == 0) {
            own.remove("a", id);
        } else {
            var event = event("a", id).completedAt(T0 + random.nextInt(20)).occurredAt(T0 - random.nextInt(20));
            own.event(random.nextInt(3) == 0 ? event.ttl(OwnTtl.of(null, T0 + 1_000_000, false)) : event);
        }
    }

    @Test
    void shouldPruneExecution0InSlices() {
        // given
        fill("a", 500);
        fixture.execution("a", 1, "running");
        Pruning pruning = fixture.store.beginPrune(stream("a"), new PruneCondition(null, T0 + 500), false);

        // when
        int slices = slices(() -> fixture.store.prune(stream("a"), pruning, briefly(), (stream, removed) -> {}));

        // then
        assertThat(slices).isGreaterThan(100);
        assertThat(pruning.counts().eventsDeleted()).isEqualTo(500);
        assertThat(fixture.ids("a")).isEmpty();
        fixture.check();
    }

    @Test
    void shouldKeepExecution0IfOneOfItsEventsIsTooYoung() {
        // given
        fill("a", 20);
        fixture.execution("a", 1, "running");

        // when
        var counts = fixture.prune(stream("a"), new PruneCondition(null, T0 + 19), 1);

        // then
        assertThat(counts.eventsDeleted()).isZero();
        assertThat(fixture.ids("a")).hasSize(20);
    }

    @Test
    @Tag("O-10")
    void shouldTakeExecutionsAwayInSlices() {
        // given
        for (int i = 1; i <= 500; i++) {
            fixture.execution("a", i, "completed");
        }
        fixture.retire("a");

        // when
        int slices = slices(() -> fixture.store.empty(briefly(), fixture.emptied));

        // then
        assertThat(slices).isGreaterThan(100);
        assertThat(fixture.emptied.executions).hasSize(500).doesNotHaveDuplicates();
        fixture.check();
    }

    @Test
    void shouldGetBehindWhatAGuardKeepsHoweverShortTheSlice() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .maxCount(Limit.of(10))
                .set(PolicyField.KEEP_LAST, Limit.of(150))
                .build());
        executions("a", 200);

        // when
        List<StoreFixture.Removal> removed = new ArrayList<>();
        int slices = slices(() -> {
            fixture.schedule.touch(stream("a"));
            return fixture.store.removeOverCap(
                    stream("a"),
                    fixture.nowMs,
                    briefly(),
                    (stream, gone) -> removed.add(StoreFixture.Removal.of(gone)));
        });

        // then
        assertThat(removed).hasSize(50);
        assertThat(slices).isGreaterThan(100);
        assertThat(fixture.ids("a")).hasSize(150);
    }

    @Test
    void shouldTakeWhatTheCapsTakeWhateverChangesBetweenSlices() {
        SeededCases.forAFew(100, random -> {
            StoreFixture own = new StoreFixture();
            own.policies(RetentionPolicy.of(Scope.ALL)
                    .maxCount(Limit.of(1 + random.nextInt(20)))
                    .set(PolicyField.MIN_AGE, Limit.of(100))
                    .build());
            for (int i = 0; i < 40; i++) {
                put(own, random);
            }
            own.execution("a", 30, "running");
            for (int i = 0; !removeOverCap(own, briefly()); i++) {
                assertThat(i).isLessThan(10_000);
                if (i < 30 && random.nextInt(2) == 0) {
                    put(own, random);
                    own.remove("a", "e" + random.nextInt(60));
                }
            }
            StreamState stream = own.store.stream(new StreamName("a"));
            assertThat(own.predict(stream, Integer.MAX_VALUE)).as("left over").isEmpty();
            own.check();
        });
    }

    private static void put(StoreFixture own, Random random) {
        int execution = 1 + random.nextInt(20);
        own.event(event("a", "e" + random.nextInt(60)).execution(execution).occurredAt(T0 - random.nextInt(200)));
        own.execution("a", execution, "completed");
    }

    private static boolean removeOverCap(StoreFixture own, SweepBudget budget) {
        StreamState stream = own.store.stream(new StreamName("a"));
        return own.store.removeOverCap(stream, own.nowMs, budget, (from, gone) -> {});
    }

    @Test
    @Tag("O-5")
    void shouldForetellInSlices() {
        // given deadlines that lie far apart in the order of deletion
        fixture.event(event("a", "first").ttl(OwnTtl.of(null, T0 + 1, false)));
        fixture.nowMs++;
        fill("a", 500);
        fixture.nowMs++;
        fixture.event(event("a", "last").ttl(OwnTtl.of(null, T0 + 3, false)));
        StreamState stream = stream("a");
        long atMs = T0 + 365L * 86_400_000;
        var forecast = fixture.store.forecast(stream, stream.policy(), false, atMs);
        List<String> found = new ArrayList<>();

        // when
        int slices = slices(() -> forecast.step(
                briefly(), (shadow, gone) -> found.add(gone.event().id())));

        // then
        assertThat(slices).isGreaterThan(100);
        assertThat(found).hasSize(502).doesNotHaveDuplicates();
    }

    @Test
    void shouldLookForTheLastEventsOnce() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1000))
                .set(PolicyField.KEEP_LAST, Limit.of(200))
                .build());
        fill("a", 300);
        fixture.nowMs += 2000;
        fixture.resetCounts();

        // when
        List<StoreFixture.Removal> removed = fixture.sweep(5);

        // then
        assertThat(removed).hasSize(100);
        assertThat(fixture.operations()).isLessThan(2000);
    }

    @Test
    @Tag("O-6")
    void shouldAddUpStaleWorkInSlices() {
        // given
        for (int i = 0; i < 150; i++) {
            fixture.event(event("s/" + i, "e").status("running"));
            fixture.execution("s/" + i, 1, "running");
            fixture.event(event("s/" + i, "f").execution(1));
        }
        fixture.event(event("s/7", "more").status("running"));
        fixture.nowMs += 10;
        while (!fixture.store.countStale(fixture.nowMs, 0, briefly())) {
            fixture.events.resetCounts();
        }
        StaleCount count = fixture.store.staleEvents(fixture.nowMs, 2);

        // when
        int slices = slices(() -> count.run(briefly()));

        // then
        assertThat(slices).isEqualTo(150);
        assertThat(count.events()).isEqualTo(301);
        assertThat(count.most()).isEqualTo(Map.of(new StreamName("s/7"), 3L, new StreamName("s/0"), 2L));
    }

    @Test
    @Tag("O-6")
    @Tag("B-5")
    void shouldKnowWhenMoreWorkBecomesStaleAsFarAsItLooks() {
        // given
        long beginMs = fixture.nowMs;
        fixture.event(event("s", "old").status("running"));
        fixture.nowMs += 100;
        fixture.event(event("s", "young").status("running"));

        // then a look that does not go so far says nothing of it
        assertThat(nextSince(beginMs, 0)).isEqualTo(beginMs);
        assertThat(nextSince(beginMs + 1, 98)).isEqualTo(beginMs + 99);
        assertThat(nextSince(beginMs + 2, 98)).isEqualTo(beginMs + 100);
        assertThat(nextSince(beginMs + 3, 98)).isEqualTo(beginMs + 100);
        assertThat(nextSince(beginMs + 101, 1000)).isEqualTo(beginMs + 1101);

        // when an execution has been open since then
        fixture.execution("s", 1, "running");

        // then
        assertThat(nextSince(beginMs + 100, 1000)).isEqualTo(beginMs + 100);
    }

    private long nextSince(long beforeMs, long aheadMs) {
        SweepBudget budget = new SweepBudget(1000, Long.MAX_VALUE / 2, System::nanoTime);
        assertThat(fixture.store.countStale(beforeMs, aheadMs, budget)).isTrue();
        StaleCount count = fixture.store.staleEvents(beforeMs, 1);
        assertThat(count.run(budget)).isTrue();
        return count.nextSinceMs();
    }

    @Test
    void shouldWalkThroughTheStreamsThatWereThere() {
        // given
        fill("a", 1);
        fill("b", 1);
        fill("c", 1);
        fill("d", 1);
        StreamWalk walk = fixture.store.walk();
        List<String> seen = new ArrayList<>();
        seen.add(String.valueOf(walk.next()));

        // when
        fixture.remove("b", "e0");
        fill("new", 1);
        StreamWalk resumed = fixture.store.walkFrom(walk.lastSid() + 1);
        for (StreamState stream = walk.next(); stream != null; stream = walk.next()) {
            seen.add(stream.toString());
        }

        // then
        assertThat(seen).containsExactly("a", "c", "d");
        assertThat(resumed.next()).hasToString("c");
    }

    private void executions(String stream, int count) {
        for (int i = 1; i <= count; i++) {
            fixture.event(event(stream, "e" + i).execution(i));
            fixture.execution(stream, i, "completed");
        }
    }

    private void fill(String stream, int count) {
        for (int i = 0; i < count; i++) {
            fixture.event(event(stream, "e" + i).completedAt(T0 + i));
        }
    }

    private StreamState stream(String name) {
        return fixture.store.stream(new StreamName(name));
    }

    /** Number of slices it takes; none may do more than a little. */
    private int slices(BooleanSupplier slice) {
        int slices = 0;
        boolean isDone = false;
        while (!isDone) {
            fixture.resetCounts();
            isDone = slice.getAsBoolean();
            slices++;
            assertThat(fixture.operations()).as("steps in slice " + slices).isLessThan(MOST_IN_A_SLICE);
            assertThat(slices).isLessThan(10_000);
        }
        return slices;
    }

    /** Its time is up with the first step. */
    private static SweepBudget briefly() {
        return new SweepBudget(1000, 0, System::nanoTime);
    }
}
