package dev.ebb.domain.retention;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.model.Policies;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The steps of the decision in their order, and its boundaries at -1, 0 and +1 ms. */
class RetentionDeciderTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;

    /** Over both caps: age, bytes and count would all take the event. */
    private static final Place OVER_CAPS = new Place(12, 12_000, 0, 0);

    private static final EffectivePolicy STRICT =
            policy(p -> p.maxAge(Limit.of(HOUR)).maxCount(Limit.of(10)).set(PolicyField.MAX_BYTES, Limit.of(1000)));

    @ParameterizedTest
    @ValueSource(strings = {"pending", "processing", "RUNNING", "unread", "never heard of"})
    @Tag("M-4")
    void shouldKeepProtectedEventsWhateverElseIsTrue(String status) {
        // given
        StoredEvent event = event("s", "e").status(status).ttlSeconds(1).stored(T0);

        // when
        Decision decision = RetentionDecider.decide(event, OVER_CAPS, STRICT, T0 + 365 * DAY);

        // then
        assertThat(decision).isEqualTo(new Decision.Keep(KeepReason.PROTECTED));
        assertThat(RetentionDecider.isDue(event, STRICT, T0 + 365 * DAY)).isFalse();
    }

    @Test
    @Tag("M-10")
    void shouldKeepHonouredInfiniteEventsFromAgeAndCaps() {
        // given
        StoredEvent event = event("s", "e").noExpiration().stored(T0);
        EffectivePolicy allowing = policy(p -> p.maxAge(Limit.of(HOUR))
                .maxCount(Limit.of(10))
                .set(PolicyField.MAX_BYTES, Limit.of(1000))
                .set(PolicyField.MAX_TTL, Limit.of(HOUR))
                .set(PolicyField.ALLOW_INFINITE_TTL, true));

        // when
        Decision decision = RetentionDecider.decide(event, OVER_CAPS, allowing, Long.MAX_VALUE);

        // then
        assertThat(decision).isEqualTo(new Decision.Keep(KeepReason.INFINITE));
        assertThat(RetentionDecider.dueAtMs(event, allowing)).isEqualTo(RetentionDecider.NEVER);
        assertThat(RetentionDecider.isDue(event, allowing, Long.MAX_VALUE)).isFalse();
    }

    @Test
    @Tag("M-10")
    void shouldTreatInfiniteEventsLikeOthersWhereThatIsNotAllowed() {
        // given
        StoredEvent event = event("s", "e").noExpiration().stored(T0);

        // then
        assertThat(RetentionDecider.decide(event, Place.WITHIN_CAPS, STRICT, T0 + HOUR))
                .isEqualTo(new Decision.Keep(KeepReason.LIVE));
        assertThat(RetentionDecider.decide(event, Place.WITHIN_CAPS, STRICT, T0 + HOUR + 1))
                .isEqualTo(removal(RemovalCause.MAX_AGE));
        assertThat(RetentionDecider.decide(event, OVER_CAPS, STRICT, T0)).isEqualTo(removal(RemovalCause.MAX_COUNT));
    }

    /** A notice ends by itself: what keeps an event without it is what lists and explanations show. */
    @Test
    @Tag("O-25")
    void shouldNameWhatKeepsAnEventBeyondANotice() {
        // given
        StoredEvent working = event("s", "e").status("pending").stored(T0);
        StoredEvent plain = event("s", "e").stored(T0);

        // then
        assertThat(RetentionDecider.decide(working, Place.WITHIN_CAPS, STRICT, Cover.NOTICE, T0 + DAY))
                .isEqualTo(new Decision.Keep(KeepReason.PROTECTED));
        assertThat(RetentionDecider.decide(plain, Place.WITHIN_CAPS, STRICT, Cover.NOTICE, T0 + DAY))
                .isEqualTo(new Decision.Keep(KeepReason.NOTICE));
        assertThat(RetentionDecider.decide(working, Place.WITHIN_CAPS, STRICT, Cover.HOLD, T0 + DAY))
                .isEqualTo(new Decision.Keep(KeepReason.HELD));
    }

    @Test
    void shouldNameTheOwnTtlBeforeTheAge() {
        // given
        StoredEvent event = event("s", "e").ttlSeconds(10).stored(T0);

        // then
        assertThat(RetentionDecider.decide(event, OVER_CAPS, STRICT, T0 + DAY)).isEqualTo(removal(RemovalCause.TTL));
    }

    @Test
    @Tag("M-10")
    void shouldLetAnOwnTtlReplaceTheAgeInBothDirections() {
        // given
        StoredEvent shorter = event("s", "e").ttlSeconds(10).stored(T0);
        StoredEvent longer = event("s", "e").expiresAt(T0 + DAY).stored(T0);

        // then
        assertThat(RetentionDecider.decide(shorter, Place.WITHIN_CAPS, STRICT, T0 + 10_001))
                .isEqualTo(removal(RemovalCause.TTL));
        assertThat(RetentionDecider.decide(longer, Place.WITHIN_CAPS, STRICT, T0 + DAY))
                .isEqualTo(new Decision.Keep(KeepReason.LIVE));
    }

    @Test
    @Tag("M-10")
    void shouldLetCapsTakeEventsWithAnOwnTtl() {
        // given
        StoredEvent event = event("s", "e").expiresAt(T0 + 365 * DAY).stored(T0);

        // then
        assertThat(RetentionDecider.decide(event, OVER_CAPS, STRICT, T0)).isEqualTo(removal(RemovalCause.MAX_COUNT));
    }

    @Test
    void shouldNameTheAgeBeforeTheCaps() {
        StoredEvent event = event("s", "e").stored(T0);

        assertThat(RetentionDecider.decide(event, OVER_CAPS, STRICT, T0 + HOUR + 1))
                .isEqualTo(removal(RemovalCause.MAX_AGE));
    }

    @Test
    void shouldNameTheCountBeforeTheBytes() {
        StoredEvent event = event("s", "e").stored(T0);

        assertThat(RetentionDecider.decide(event, OVER_CAPS, STRICT, T0)).isEqualTo(removal(RemovalCause.MAX_COUNT));
        assertThat(RetentionDecider.decide(event, new Place(10, 12_000, 0, 0), STRICT, T0))
                .isEqualTo(removal(RemovalCause.MAX_BYTES));
    }

    @ParameterizedTest
    @CsvSource({"9, false", "10, false", "11, true"})
    @Tag("M-12")
    void shouldTakeByCountOnlyStrictlyMore(long events, boolean isRemoved) {
        StoredEvent event = event("s", "e").stored(T0);

        assertThat(RetentionDecider.decide(event, new Place(events, 10, 0, 0), STRICT, T0)
                        .isRemove())
                .isEqualTo(isRemoved);
    }

    @ParameterizedTest
    @CsvSource({"999, 0, false", "1000, 0, false", "1001, 0, true", "1001, 1, false", "2001, 1000, true"})
    @Tag("M-12")
    void shouldTakeByBytesOnlyStrictlyMore(long bytes, long older, boolean isRemoved) {
        StoredEvent event = event("s", "e").stored(T0);

        assertThat(RetentionDecider.decide(event, new Place(5, bytes, 1, older), STRICT, T0)
                        .isRemove())
                .isEqualTo(isRemoved);
    }

    @ParameterizedTest
    @CsvSource({"5, 2", "11, 1", "12, 0", "0, 2"})
    @Tag("M-15")
    void shouldCountProtectedEventsButTakeEligibleOnes(int protectedEvents, long expected) {
        // given a stream of 12 events and maxCount 10
        int eligible = 12 - protectedEvents;
        StoredEvent event = event("s", "e").stored(T0);

        // when
        long removed = LongStream.range(0, eligible)
                .filter(older -> RetentionDecider.decide(event, new Place(12, 10, older, 0), STRICT, T0)
                        .isRemove())
                .count();

        // then
        assertThat(removed).isEqualTo(expected);
    }

    @Test
    @Tag("M-12")
    void shouldJoinCapsWithOr() {
        // given a limit of 30 days and one of 1 M events
        EffectivePolicy either = policy(p -> p.maxAge(Limit.of(30 * DAY)).maxCount(Limit.of(1_000_000)));
        StoredEvent event = event("s", "e").stored(T0);
        Place full = new Place(1_000_000, 1, 0, 0);
        Place over = new Place(1_000_001, 1, 0, 0);

        // then
        assertThat(RetentionDecider.decide(event, full, either, T0 + 30 * DAY).isRemove())
                .isFalse();
        assertThat(RetentionDecider.decide(event, over, either, T0)).isEqualTo(removal(RemovalCause.MAX_COUNT));
        assertThat(RetentionDecider.decide(event, full, either, T0 + 30 * DAY + 1))
                .isEqualTo(removal(RemovalCause.MAX_AGE));
    }

    @ParameterizedTest
    @CsvSource({"-1, false", "0, false", "1, true"})
    @Tag("M-13")
    void shouldStandAtTheBoundaryOfMaxAge(long offset, boolean isRemoved) {
        check(event("s", "e").stored(T0), STRICT, T0 + HOUR + offset, isRemoved);
    }

    @ParameterizedTest
    @CsvSource({"-1, false", "0, false", "1, true"})
    @Tag("M-13")
    void shouldStandAtTheBoundaryOfTtlSeconds(long offset, boolean isRemoved) {
        check(event("s", "e").ttlSeconds(90).stored(T0), STRICT, T0 + 90_000 + offset, isRemoved);
    }

    @ParameterizedTest
    @CsvSource({"-1, false", "0, false", "1, true"})
    @Tag("M-13")
    void shouldStandAtTheBoundaryOfExpiresAt(long offset, boolean isRemoved) {
        check(event("s", "e").expiresAt(T0 + 7).stored(T0), STRICT, T0 + 7 + offset, isRemoved);
    }

    @ParameterizedTest
    @CsvSource({"-1, false", "0, false", "1, true"})
    @Tag("M-13")
    void shouldStandAtTheBoundaryOfMinTtl(long offset, boolean isRemoved) {
        EffectivePolicy bounded = policy(p -> p.set(PolicyField.MIN_TTL, Limit.of(HOUR)));

        check(event("s", "e").ttlSeconds(1).stored(T0), bounded, T0 + HOUR + offset, isRemoved);
    }

    @ParameterizedTest
    @CsvSource({"-1, false", "0, false", "1, true"})
    @Tag("M-13")
    void shouldStandAtTheBoundaryOfMaxTtl(long offset, boolean isRemoved) {
        EffectivePolicy bounded = policy(p -> p.set(PolicyField.MAX_TTL, Limit.of(HOUR)));

        check(event("s", "e").expiresAt(T0 + DAY).stored(T0), bounded, T0 + HOUR + offset, isRemoved);
    }

    @Test
    @Tag("M-10")
    void shouldLetTheUpperBoundWinIfBoundsContradictEachOther() {
        // given
        EffectivePolicy contradiction =
                policy(p -> p.set(PolicyField.MIN_TTL, Limit.of(DAY)).set(PolicyField.MAX_TTL, Limit.of(HOUR)));

        // then
        for (StoredEvent event : List.of(
                event("s", "e").ttlSeconds(1).stored(T0),
                event("s", "e").expiresAt(T0 + 365 * DAY).stored(T0),
                event("s", "e").ttlSeconds(7200).stored(T0))) {
            assertThat(RetentionDecider.dueAtMs(event, contradiction)).isEqualTo(T0 + HOUR);
        }
    }

    @Test
    @Tag("M-10")
    void shouldKeepOwnTtlsBetweenTheBoundsAsTheyAre() {
        EffectivePolicy bounded =
                policy(p -> p.set(PolicyField.MIN_TTL, Limit.of(HOUR)).set(PolicyField.MAX_TTL, Limit.of(DAY)));

        assertThat(RetentionDecider.dueAtMs(event("s", "e").ttlSeconds(7200).stored(T0), bounded))
                .isEqualTo(T0 + 2 * HOUR);
    }

    @Test
    @Tag("M-10")
    void shouldPreferExpiresAtToTtlSeconds() {
        StoredEvent both = event("s", "e").ttl(new OwnTtl(3600L, T0 + 5, false)).stored(T0);

        assertThat(RetentionDecider.dueAtMs(both, STRICT)).isEqualTo(T0 + 5);
    }

    @ParameterizedTest
    @CsvSource({"STORED, 300", "OCCURRED, 100", "COMPLETED, 200"})
    void shouldCountFromTheAnchor(Anchor anchor, long anchorMs) {
        // given
        EffectivePolicy anchored =
                policy(p -> p.anchor(anchor).maxAge(Limit.of(HOUR)).set(PolicyField.MAX_TTL, Limit.of(DAY)));
        StoredEvent plain = event("s", "e").occurredAt(100L).completedAt(200L).stored(300);
        StoredEvent timed = event("s", "e")
                .occurredAt(100L)
                .completedAt(200L)
                .ttlSeconds(10)
                .stored(300);
        StoredEvent far =
                event("s", "e").occurredAt(100L).completedAt(200L).expiresAt(T0).stored(300);

        // then
        assertThat(RetentionDecider.dueAtMs(plain, anchored)).isEqualTo(anchorMs + HOUR);
        assertThat(RetentionDecider.dueAtMs(timed, anchored)).isEqualTo(anchorMs + 10_000);
        assertThat(RetentionDecider.dueAtMs(far, anchored)).isEqualTo(anchorMs + DAY);
    }

    @Test
    void shouldNeverOverflow() {
        EffectivePolicy unlimited = policy(p -> p.maxAge(Limit.NONE));
        EffectivePolicy huge = policy(
                p -> p.maxAge(Limit.of(Long.MAX_VALUE - 1)).set(PolicyField.MIN_TTL, Limit.of(Long.MAX_VALUE - 1)));

        assertThat(RetentionDecider.dueAtMs(event("s", "e").stored(T0), unlimited))
                .isEqualTo(RetentionDecider.NEVER);
        assertThat(RetentionDecider.dueAtMs(event("s", "e").stored(T0), huge)).isEqualTo(RetentionDecider.NEVER);
        assertThat(RetentionDecider.dueAtMs(
                        event("s", "e").ttlSeconds(Long.MAX_VALUE).stored(T0), unlimited))
                .isEqualTo(RetentionDecider.NEVER);
        assertThat(RetentionDecider.dueAtMs(
                        event("s", "e").ttlSeconds(Long.MAX_VALUE / 1000).stored(T0), unlimited))
                .isEqualTo(RetentionDecider.NEVER);
        assertThat(RetentionDecider.dueAtMs(event("s", "e").ttlSeconds(1).stored(T0), huge))
                .isEqualTo(RetentionDecider.NEVER);
    }

    private static void check(StoredEvent event, EffectivePolicy policy, long nowMs, boolean isRemoved) {
        assertThat(RetentionDecider.decide(event, Place.WITHIN_CAPS, policy, nowMs)
                        .isRemove())
                .isEqualTo(isRemoved);
        assertThat(RetentionDecider.isDue(event, policy, nowMs)).isEqualTo(isRemoved);
    }

    private static EffectivePolicy policy(UnaryOperator<RetentionPolicy.Builder> fields) {
        return Policies.effective(fields);
    }

    private static Decision removal(RemovalCause cause) {
        return new Decision.Remove(cause);
    }
}
