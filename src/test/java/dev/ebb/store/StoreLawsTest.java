package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture.Removal;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is true of the store after any sequence. */
class StoreLawsTest {

    private static final String[] STREAMS = {"a/1", "a/2", "b"};
    private static final String[] STATUSES = {null, "", "completed", "read", "pending", "archived"};

    @Test
    @Tag("I-3")
    @Tag("A-4")
    void shouldCountWhatARecountCounts() {
        SeededCases.forAll(200, random -> {
            StoreFixture fixture = new StoreFixture();
            for (int step = 0; step < 60; step++) {
                step(fixture, random);
                fixture.check();
                checkNamespaces(fixture);
            }
        });
    }

    @Test
    @Tag("O-2")
    void shouldRemoveTheSameInSlicesAsInOnePass() {
        SeededCases.forAll(300, random -> {
            long seed = random.nextLong();
            StoreFixture whole = filled(new Random(seed));
            StoreFixture sliced = filled(new Random(seed));

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
        SeededCases.forAll(300, random -> {
            StoreFixture fixture = filled(random);

            fixture.sweep();

            assertThat(fixture.sweep()).isEmpty();
        });
    }

    @Test
    @Tag("I-7")
    void shouldSweepTheSameAfterARestart() {
        SeededCases.forAll(300, random -> {
            long seed = random.nextLong();
            StoreFixture before = filled(new Random(seed));
            StoreFixture after = filled(new Random(seed));

            after.reopen();

            assertThat(after.sweep()).containsExactlyInAnyOrderElementsOf(before.sweep());
        });
    }

    private static StoreFixture filled(Random random) {
        StoreFixture fixture = new StoreFixture();
        for (int i = 0; i < 40; i++) {
            fixture.event(randomEvent(random, fixture.nowMs));
            fixture.nowMs += random.nextInt(200);
        }
        fixture.policies(randomPolicy(random));
        fixture.nowMs += random.nextInt(5000);
        return fixture;
    }

    private static void step(StoreFixture fixture, Random random) {
        switch (random.nextInt(12)) {
            case 0 -> fixture.begin(randomPolicy(random));
            case 1 -> fixture.moveSlice();
            case 2 -> fixture.sweep(1 + random.nextInt(4));
            case 3 ->
                fixture.reopen(
                        random.nextBoolean()
                                ? TerminalStatuses.DEFAULT
                                : new TerminalStatuses(List.of("archived", "read")));
            case 4, 5 -> fixture.nowMs += random.nextInt(3000);
            case 6, 7 -> fixture.update(randomUpdate(random, fixture.nowMs), fixture.nowMs);
            default -> fixture.event(randomEvent(random, fixture.nowMs));
        }
    }

    private static void checkNamespaces(StoreFixture fixture) {
        long events = 0;
        long bytes = 0;
        for (NamespaceTotals totals : fixture.store.namespaceTotals().values()) {
            events += totals.events();
            bytes += totals.bytes();
        }
        assertThat(events)
                .isEqualTo(fixture.store.streams().stream()
                        .mapToLong(StreamState::totalEvents)
                        .sum());
        assertThat(bytes)
                .isEqualTo(fixture.store.streams().stream()
                        .mapToLong(StreamState::totalBytes)
                        .sum());
        assertThat(fixture.store.namespaceTotals().values().stream()
                        .mapToLong(NamespaceTotals::streams)
                        .sum())
                .isEqualTo(fixture.store.streams().size());
    }

    private static EventBuilder randomEvent(Random random, long nowMs) {
        return event(STREAMS[random.nextInt(STREAMS.length)], "e" + random.nextInt(20))
                .status(STATUSES[random.nextInt(STATUSES.length)])
                .occurredAt(random.nextBoolean() ? null : nowMs - random.nextInt(5000))
                .completedAt(random.nextBoolean() ? null : nowMs - random.nextInt(5000))
                .ttl(ttl(random, nowMs))
                .payloadBytes(random.nextInt(60));
    }

    private static EventUpdate randomUpdate(Random random, long nowMs) {
        return new EventUpdate(
                new StreamName(STREAMS[random.nextInt(STREAMS.length)]),
                new EventId("e" + random.nextInt(20)),
                STATUSES[random.nextInt(STATUSES.length)],
                random.nextBoolean() ? null : nowMs - random.nextInt(5000),
                random.nextBoolean() ? null : ttl(random, nowMs),
                random.nextBoolean() ? null : Map.of("k", "v".repeat(random.nextInt(9))));
    }

    private static OwnTtl ttl(Random random, long nowMs) {
        return switch (random.nextInt(6)) {
            case 0 -> OwnTtl.INFINITE;
            case 1 -> OwnTtl.of(null, nowMs + random.nextInt(6000) - 3000, false);
            case 2 -> OwnTtl.of(1L + random.nextInt(4), null, false);
            default -> OwnTtl.NONE;
        };
    }

    private static RetentionPolicy randomPolicy(Random random) {
        return RetentionPolicy.of(random.nextInt(3) == 0 ? Scope.namespace("a") : Scope.ALL)
                .maxAge(random.nextInt(3) == 0 ? null : Limit.of(1 + random.nextInt(5000)))
                .maxCount(random.nextBoolean() ? null : Limit.of(1 + random.nextInt(8)))
                .maxBytes(random.nextBoolean() ? null : Limit.of(100 + random.nextInt(1000)))
                .anchor(Anchor.values()[random.nextInt(3)])
                .minTtl(random.nextInt(3) > 0 ? null : Limit.of(1 + random.nextInt(3000)))
                .maxTtl(random.nextInt(3) > 0 ? null : Limit.of(1 + random.nextInt(3000)))
                .allowInfiniteTtl(random.nextBoolean())
                .build();
    }
}
