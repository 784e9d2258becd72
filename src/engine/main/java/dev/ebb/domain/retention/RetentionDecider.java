package dev.ebb.domain.retention;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides whether an event stays or goes. Pure and stateless: the sweeper, the readers and the tests all use this
 * class, so they cannot disagree.
 */
public final class RetentionDecider {

    /** The due time of an event that is never due. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final long MS_PER_SECOND = 1000;
    private static final Decision HELD = new Decision.Keep(KeepReason.HELD);
    private static final Decision NOTICE = new Decision.Keep(KeepReason.NOTICE);
    private static final Decision PROTECTED = new Decision.Keep(KeepReason.PROTECTED);
    private static final Decision GUARDED = new Decision.Keep(KeepReason.GUARDED);
    private static final Decision INFINITE = new Decision.Keep(KeepReason.INFINITE);
    private static final Decision LIVE = new Decision.Keep(KeepReason.LIVE);
    private static final Decision TTL = new Decision.Remove(RemovalCause.TTL);
    private static final Decision MAX_AGE = new Decision.Remove(RemovalCause.MAX_AGE);
    private static final List<Decision.Remove> CAPS = Stream.of(RemovalCause.values())
            .filter(RemovalCause::isCap)
            .map(Decision.Remove::new)
            .toList();

    private RetentionDecider() {}

    /**
     * Returns the decision about an event of a stream that nothing covers, see {@link #decide(EventFacts, Place,
     * EffectivePolicy, Cover, long)}.
     */
    public static Decision decide(EventFacts event, Place place, EffectivePolicy policy, long nowMs) {
        return decide(event, place, policy, Cover.NONE, nowMs);
    }

    /**
     * Decides whether the event stays or goes at {@code nowMs}, and why; follows the steps of the model in their order.
     * The mode of the policy does not matter: events that {@code enforce} removes are reported at {@code warn}.
     *
     * @param cover the cover over its stream at that time
     */
    public static Decision decide(EventFacts event, Place place, EffectivePolicy policy, Cover cover, long nowMs) {
        if (cover == Cover.HOLD) {
            return HELD;
        }
        if (event.isProtected()) {
            return PROTECTED;
        }
        if (isGuarded(event, place, policy, nowMs)) {
            return GUARDED;
        }
        if (isInfinite(event, policy)) {
            return INFINITE;
        }
        // Last, since it ends by itself: what keeps the event afterwards is the reason that readers show (O-25).
        if (cover == Cover.NOTICE) {
            return NOTICE;
        }
        if (isPast(dueAtMs(event, policy), nowMs)) {
            return event.ttl().isFinite() ? TTL : MAX_AGE;
        }
        return place.isInCurrentExecution() ? LIVE : byCaps(place, policy);
    }

    private static Decision byCaps(Place place, EffectivePolicy policy) {
        PolicyField<Limit> cap = policy.capOver(
                place.events() - place.olderEligibleEvents(), place.bytes() - place.olderEligibleBytes());
        return cap == null ? LIVE : by(cap);
    }

    private static Decision by(PolicyField<Limit> cap) {
        for (Decision.Remove removal : CAPS) {
            if (removal.cause().field() == cap) {
                return removal;
            }
        }
        throw new IllegalStateException(cap + " is a cap without a cause");
    }

    /**
     * Returns true if the event's age or own TTL has passed; guards, holds and the mode of the policy may still keep
     * it.
     */
    public static boolean isDue(EventFacts event, EffectivePolicy policy, long nowMs) {
        return !event.isProtected() && isPast(dueAtMs(event, policy), nowMs);
    }

    /**
     * Returns true if age or own TTL has made the event invisible to readers (M-17): a sweep that enforces would remove
     * it.
     *
     * @param place the place of the event; {@code keepLast} counts, caps do not
     * @param cover the cover over its stream at that time
     */
    public static boolean isHidden(EventFacts event, Place place, EffectivePolicy policy, Cover cover, long nowMs) {
        return policy.isEnforced()
                && decide(event, place, policy, cover, nowMs) instanceof Decision.Remove removal
                && !removal.cause().isCap();
    }

    private static boolean isGuarded(EventFacts event, Place place, EffectivePolicy policy, long nowMs) {
        var keepLast = policy.keepLast().value();
        if (!keepLast.isNone() && place.isAmongLast(keepLast.value())) {
            return true;
        }
        long anchorMs = event.anchorMs(policy.anchor().value());
        return nowMs <= lastGuardedMs(anchorMs, policy);
    }

    /**
     * Returns the last millisecond at which {@code minAge} guards an event of the given anchor; -1 if it never does.
     */
    public static long lastGuardedMs(long anchorMs, EffectivePolicy policy) {
        var minAge = policy.minAge().value();
        return minAge.isNone() ? -1 : plus(anchorMs, minAge.value() - 1);
    }

    /**
     * Returns the last millisecond at which an event that is not protected is alive, by its own TTL within the policy's
     * bounds or else by {@code maxAge}; {@link #NEVER} if neither ever takes it.
     */
    public static long dueAtMs(EventFacts event, EffectivePolicy policy) {
        OwnTtl ttl = event.ttl();
        long anchorMs = event.anchorMs(policy.anchor().value());
        if (ttl.isFinite()) {
            return bounded(asked(ttl, anchorMs), anchorMs, policy);
        }
        return isInfinite(event, policy) ? NEVER : dueByAgeMs(anchorMs, policy);
    }

    /**
     * Returns the last millisecond at which an event of the given anchor stays by {@code maxAge}; {@link #NEVER} if it
     * always stays.
     */
    public static long dueByAgeMs(long anchorMs, EffectivePolicy policy) {
        return plus(anchorMs, policy.maxAge().value().value());
    }

    /**
     * Returns the last millisecond at which {@code maxAge} or {@code minAge} keeps an event of the given anchor; {@link
     * #NEVER} if it always stays.
     */
    public static long removableByAgeMs(long anchorMs, EffectivePolicy policy) {
        return Math.max(dueByAgeMs(anchorMs, policy), lastGuardedMs(anchorMs, policy));
    }

    /** Returns the last millisecond at which no sweep removes the event by age or own TTL. */
    public static long removableAtMs(EventFacts event, EffectivePolicy policy) {
        long anchorMs = event.anchorMs(policy.anchor().value());
        return Math.max(dueAtMs(event, policy), lastGuardedMs(anchorMs, policy));
    }

    /**
     * Returns true if the due time has passed, strictly (M-13): at the due time itself the event stays, one millisecond
     * later it goes.
     */
    public static boolean isPast(long dueAtMs, long nowMs) {
        return nowMs > dueAtMs;
    }

    private static boolean isInfinite(EventFacts event, EffectivePolicy policy) {
        return event.ttl().noExpiration() && policy.allowInfiniteTtl().value();
    }

    private static long asked(OwnTtl ttl, long anchorMs) {
        Long expiresAt = ttl.expiresAt();
        Long seconds = ttl.ttlSeconds();
        if (expiresAt != null) {
            return expiresAt;
        }
        if (seconds == null) {
            throw new IllegalArgumentException("no own TTL");
        }
        return seconds > NEVER / MS_PER_SECOND ? NEVER : plus(anchorMs, seconds * MS_PER_SECOND);
    }

    /**
     * Returns the due time within the bounds. The bounds may contradict each other after inheritance: then the upper
     * bound wins.
     */
    private static long bounded(long dueAtMs, long anchorMs, EffectivePolicy policy) {
        long atLeast = atLeast(dueAtMs, anchorMs, policy);
        return Math.min(atLeast, plus(anchorMs, policy.maxTtl().value().value()));
    }

    private static long atLeast(long dueAtMs, long anchorMs, EffectivePolicy policy) {
        var min = policy.minTtl().value();
        return min.isNone() ? dueAtMs : Math.max(dueAtMs, plus(anchorMs, min.value()));
    }

    /**
     * Returns true if the own TTL of the event has passed, without the policy's upper bound: its producer has then made
     * it due, not the policy.
     */
    public static boolean isPastByOwnTtl(EventFacts event, EffectivePolicy policy, long nowMs) {
        OwnTtl ttl = event.ttl();
        if (!ttl.isFinite()) {
            return false;
        }
        long anchorMs = event.anchorMs(policy.anchor().value());
        return isPast(atLeast(asked(ttl, anchorMs), anchorMs, policy), nowMs);
    }

    /** Returns the sum, at most the largest long. Neither operand is negative, so a negative sum has overflowed. */
    private static long plus(long timeMs, long durationMs) {
        long sum = timeMs + durationMs;
        return sum < 0 ? NEVER : sum;
    }
}
