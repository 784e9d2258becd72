package dev.ebb.domain.retention;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.model.Policies;
import dev.ebb.model.SeededCases;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Laws of the decision about any event, under any policy, at any time. */
class RetentionLawsTest {

    private static final int CASES = 2000;
    private static final long NOW = 1_800_000_000_000L;
    private static final long[] STEPS = {-1, 0, 1, 1000, 60_000};
    private static final String[] STATUSES = {null, "", "completed", "Read", "pending", "running"};

    @Test
    @Tag("I-1")
    void shouldNeverRemoveAnIneligibleEvent() {
        SeededCases.forAll(CASES, random -> {
            StoredEvent event = randomEvent(random);
            EffectivePolicy policy = randomPolicy(random, randomAge(random));
            boolean isInfinite =
                    event.ttl().noExpiration() && policy.allowInfiniteTtl().value();

            Decision decision = RetentionDecider.decide(event, randomPlace(random), policy, NOW + 1_000_000_000);

            if (event.isProtected()) {
                assertThat(decision).isEqualTo(new Decision.Keep(KeepReason.PROTECTED));
            } else if (isInfinite) {
                assertThat(decision).isEqualTo(new Decision.Keep(KeepReason.INFINITE));
            }
        });
    }

    @Test
    void shouldNeverRemoveMoreByALongerAge() {
        SeededCases.forAll(CASES, random -> {
            StoredEvent event = randomEvent(random);
            Place place = randomPlace(random);
            long age = randomAge(random);
            long seed = random.nextLong();
            EffectivePolicy shorter = randomPolicy(new Random(seed), age);
            EffectivePolicy longer = randomPolicy(new Random(seed), age + 1 + random.nextInt(1000));

            boolean isKept =
                    !RetentionDecider.decide(event, place, shorter, NOW).isRemove();

            if (isKept) {
                assertThat(RetentionDecider.decide(event, place, longer, NOW).isRemove())
                        .isFalse();
            }
        });
    }

    @Test
    @Tag("M-17")
    void shouldHideFromReadersExactlyWhatASweepRemovesByAge() {
        SeededCases.forAll(CASES, random -> {
            StoredEvent event = randomEvent(random);
            EffectivePolicy policy = randomPolicy(random, randomAge(random));

            Decision decision = RetentionDecider.decide(event, Place.WITHIN_CAPS, policy, NOW);

            assertThat(RetentionDecider.isDue(event, policy, NOW)).isEqualTo(decision.isRemove());
        });
    }

    @Test
    @Tag("M-13")
    void shouldBeDueFromOneMillisecondOnForEver() {
        SeededCases.forAll(CASES, random -> {
            StoredEvent event = event("s", "e").ttl(randomTtl(random)).stored(NOW);
            EffectivePolicy policy = randomPolicy(random, randomAge(random));
            long dueAtMs = RetentionDecider.dueAtMs(event, policy);

            assertThat(RetentionDecider.isDue(event, policy, dueAtMs)).isFalse();
            if (dueAtMs != RetentionDecider.NEVER) {
                assertThat(RetentionDecider.isDue(event, policy, dueAtMs + 1)).isTrue();
                assertThat(RetentionDecider.isDue(event, policy, Long.MAX_VALUE))
                        .isTrue();
            }
        });
    }

    @Test
    @Tag("M-10")
    void shouldKeepEveryOwnTtlWithinTheBounds() {
        SeededCases.forAll(CASES, random -> {
            StoredEvent event =
                    event("s", "e").expiresAt(NOW + random.nextInt(200_000)).stored(NOW);
            EffectivePolicy policy = randomPolicy(random, randomAge(random));
            long lifeMs = RetentionDecider.dueAtMs(event, policy) - NOW;

            assertThat(lifeMs).isLessThanOrEqualTo(policy.maxTtl().value().value());
            if (!policy.minTtl().value().isNone()) {
                assertThat(lifeMs)
                        .isGreaterThanOrEqualTo(Math.min(
                                policy.minTtl().value().value(),
                                policy.maxTtl().value().value()));
            }
        });
    }

    private static StoredEvent randomEvent(Random random) {
        return event("s", "e")
                .status(STATUSES[random.nextInt(STATUSES.length)])
                .occurredAt(NOW - near(random))
                .completedAt(NOW - near(random))
                .ttl(randomTtl(random))
                .stored(NOW - near(random));
    }

    private static OwnTtl randomTtl(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> OwnTtl.INFINITE;
            case 1 -> OwnTtl.of(null, NOW + near(random), false);
            case 2 -> OwnTtl.of(1L + random.nextInt(100), null, false);
            default -> OwnTtl.NONE;
        };
    }

    private static EffectivePolicy randomPolicy(Random random, long ageMs) {
        Anchor anchor = Anchor.values()[random.nextInt(3)];
        return Policies.effective(p -> p.maxAge(Limit.of(ageMs))
                .anchor(anchor)
                .maxCount(random.nextBoolean() ? null : Limit.of(1 + random.nextInt(5)))
                .set(PolicyField.MAX_BYTES, random.nextBoolean() ? null : Limit.of(1 + random.nextInt(500)))
                .set(PolicyField.MIN_TTL, random.nextBoolean() ? null : Limit.of(1 + random.nextInt(100_000)))
                .set(PolicyField.MAX_TTL, random.nextBoolean() ? null : Limit.of(1 + random.nextInt(100_000)))
                .set(PolicyField.ALLOW_INFINITE_TTL, random.nextBoolean()));
    }

    private static Place randomPlace(Random random) {
        long events = 1 + random.nextInt(8);
        long bytes = events * random.nextInt(200);
        long older = random.nextInt((int) events);
        return new Place(events, bytes, older, bytes * older / events);
    }

    private static long randomAge(Random random) {
        return Math.max(1, near(random));
    }

    /** Times that meet the limits, and their neighbours. */
    private static long near(Random random) {
        return STEPS[random.nextInt(STEPS.length)] + random.nextInt(3) - 1;
    }
}
