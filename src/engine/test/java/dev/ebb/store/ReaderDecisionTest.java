package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.forecast.StreamForecastTest.STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.KeepReason;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture.Removal;
import dev.ebb.store.forecast.StreamForecastTest;
import dev.ebb.store.read.StreamContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Readers are told of an event exactly what the next sweep does with it, caps included. */
class ReaderDecisionTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Test
    @Tag("O-15")
    void shouldTellOfEveryEventWhatTheNextSweepDoesWithIt() {
        Set<RemovalCause> causes = EnumSet.noneOf(RemovalCause.class);
        SeededCases.forAll(600, random -> {
            StoreFixture fixture = StreamForecastTest.filled(random);
            RetentionPolicy policy = StreamForecastTest.randomPolicy(random);
            if (random.nextBoolean()) {
                fixture.policies(policy);
            }
            fixture.nowMs += random.nextInt(3000);
            List<Removal> told = removals(fixture, StreamForecastTest.effective(policy));

            fixture.policies(policy);
            List<Removal> swept = fixture.sweep(1 + random.nextInt(4));

            assertThat(told).containsExactlyInAnyOrderElementsOf(swept);
            swept.forEach(removal -> causes.add(removal.cause()));
        });
        if (Long.getLong("test.seed") == null) {
            assertThat(causes)
                    .contains(RemovalCause.TTL, RemovalCause.MAX_AGE, RemovalCause.MAX_COUNT, RemovalCause.MAX_BYTES);
        }
    }

    @Test
    @Tag("M-18")
    void shouldTellOfNothingHeldThatItGoes() {
        SeededCases.forAll(100, random -> {
            StoreFixture fixture = StreamForecastTest.filled(random);
            fixture.nowMs += 10_000;
            EffectivePolicy policy = StreamForecastTest.effective(StreamForecastTest.randomPolicy(random));
            for (StoredEvent event : all(fixture)) {
                assertThat(decision(fixture, event, policy, true)).isEqualTo(new Decision.Keep(KeepReason.HELD));
            }
        });
    }

    /** M-12: over means strictly more. */
    @Test
    @Tag("M-12")
    void shouldTellOfACapFromTheFirstEventTooMany() {
        StoreFixture fixture = new StoreFixture();
        EffectivePolicy policy = StreamForecastTest.effective(
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(3)).build());
        for (int i = 0; i < 3; i++) {
            fixture.event(event(STREAM.value(), "e" + i));
        }
        assertThat(removals(fixture, policy)).isEmpty();

        fixture.event(event(STREAM.value(), "e3"));

        assertThat(removals(fixture, policy))
                .containsExactly(new Removal(STREAM.value(), "e0", RemovalCause.MAX_COUNT));
    }

    /** A stream within its caps is not looked through, however much of it there is. */
    @Test
    void shouldLookAtOneEventOnlyWhereNoCapIsInPlay() {
        StoreFixture fixture = new StoreFixture();
        EffectivePolicy policy = StreamForecastTest.effective(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1000))
                .maxCount(Limit.of(2000))
                .build());
        for (int i = 0; i < 2000; i++) {
            fixture.event(event(STREAM.value(), "e" + i));
        }
        fixture.nowMs += 5000;
        StoredEvent one = fixture.find(STREAM.value(), "e1000");
        fixture.resetCounts();

        assertThat(decision(fixture, one, policy, false)).isEqualTo(new Decision.Remove(RemovalCause.MAX_AGE));
        assertThat(fixture.operations()).isLessThan(5);
    }

    @Test
    void shouldKnowWhenItsPictureIsOutdated() {
        StoreFixture fixture = new StoreFixture();
        fixture.event(event(STREAM.value(), "a"));
        StreamContext context = fixture.reader().context(STREAM).orElseThrow();
        assertThat(context.isOutdated()).isFalse();

        fixture.event(event(STREAM.value(), "b"));

        assertThat(context.isOutdated()).isTrue();
    }

    private static List<Removal> removals(StoreFixture fixture, EffectivePolicy policy) {
        List<Removal> removals = new ArrayList<>();
        for (StoredEvent event : all(fixture)) {
            if (decision(fixture, event, policy, false) instanceof Decision.Remove removal) {
                removals.add(new Removal(STREAM.value(), event.event().id().value(), removal.cause()));
            }
        }
        return removals;
    }

    private static List<StoredEvent> all(StoreFixture fixture) {
        return fixture.reader().list(STREAM, null, Integer.MAX_VALUE - 1).events();
    }

    private static Decision decision(StoreFixture fixture, StoredEvent event, EffectivePolicy policy, boolean isHeld) {
        StreamContext context = fixture.reader().context(STREAM).orElseThrow();
        return Objects.requireNonNull(context.decide(event, policy, isHeld, fixture.nowMs, PATIENCE));
    }
}
