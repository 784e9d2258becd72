package dev.ebb.model;

import dev.ebb.model.RetentionModelStream.Declared;
import dev.ebb.model.RetentionModelStream.Kept;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Events that a sweep takes from one stream at one time, found by looking at every event in turn and counting everything
 * anew each time. Changes nothing.
 */
public final class RetentionModelSweep {

    /** An event that goes, and why. */
    public record Gone(Kept event, String cause, String scope) {}

    private final RetentionModelStream left;
    private final RetentionModelRules rules;
    private final long now;
    private final List<Gone> gone = new ArrayList<>();
    private final Set<Long> executionsGone = new LinkedHashSet<>();

    private RetentionModelSweep(RetentionModelStream stream, RetentionModelRules rules, long now) {
        this.left = stream.copy();
        this.rules = rules;
        this.now = now;
    }

    /** Events that rules take from a stream, whether or not they are enforced. */
    public static RetentionModelSweep of(RetentionModelStream stream, RetentionModelPolicies policies, long now) {
        RetentionModelSweep sweep = new RetentionModelSweep(stream, policies.rules(stream.name), now);
        if (!policies.isHeld(stream.name) && now > stream.noticeUntil) {
            sweep.byAge();
            sweep.emptyExecutions();
            sweep.byCaps();
        }
        return sweep;
    }

    public List<Gone> gone() {
        return gone;
    }

    public Set<Long> executionsGone() {
        return executionsGone;
    }

    /** Returns true if readers do not see the event any more (M-17). */
    public static boolean isHidden(RetentionModelStream stream, Kept kept, RetentionModelPolicies policies, long now) {
        RetentionModelRules rules = policies.rules(stream.name);
        return rules.isEnforced()
                && !policies.isHeld(stream.name)
                && new RetentionModelSweep(stream, rules, now).goesByAge(kept);
    }

    /** Returns true if age or its own TTL takes the event, holds and mode left out. */
    public static boolean goesByAge(RetentionModelStream stream, Kept kept, RetentionModelRules rules, long now) {
        return new RetentionModelSweep(stream, rules, now).goesByAge(kept);
    }

    /** First event that the caps take, as if nothing were due by age; null if they take nothing. */
    public static @Nullable Gone firstByCaps(RetentionModelStream stream, RetentionModelRules rules, long now) {
        RetentionModelSweep sweep = new RetentionModelSweep(stream, rules, now);
        if (now > stream.noticeUntil) {
            sweep.byCaps();
        }
        return sweep.gone.isEmpty() ? null : sweep.gone.get(0);
    }

    private boolean goesByAge(Kept kept) {
        return now > left.noticeUntil && !left.isProtected(kept) && !isGuarded(kept) && now > due(left, kept, rules);
    }

    private void byAge() {
        Set<Kept> condemned = new LinkedHashSet<>();
        for (Kept kept : left.inOrder(rules)) {
            if (goesByAge(kept)) {
                condemned.add(kept);
            }
        }
        condemned.forEach(kept ->
                remove(kept, kept.hasOwnTtl() ? "TTL" : "MAX_AGE", kept.hasOwnTtl() ? "event" : rules.ageScope()));
    }

    /** A terminal execution without events goes when it is older than {@code maxAge} and no guard keeps it (M-5). */
    private void emptyExecutions() {
        for (Declared execution : List.copyOf(left.declared.values())) {
            boolean isEmpty = left.events.values().stream().noneMatch(kept -> kept.execution == execution.number);
            if (isEmpty
                    && execution.isTerminal
                    && rules.isTooOld(execution.completedAt, now)
                    && now > execution.awaitsUntil
                    && !(left.hasExecutions() && isAmongLast(execution.number))) {
                left.declared.remove(execution.number);
                executionsGone.add(execution.number);
            }
        }
    }

    /** Walks over what caps may take, the oldest first; what a guard keeps counts as if it had gone (M-12). */
    private void byCaps() {
        long events = left.events.size();
        long bytes = left.size();
        long current = left.current();
        for (Kept kept : left.inOrder(rules)) {
            if (!isEligible(kept) || kept.execution == current) {
                continue;
            }
            boolean isOverCount = events > rules.maxCount();
            if (!isOverCount && bytes <= rules.maxBytes()) {
                return;
            }
            events--;
            bytes -= kept.size;
            if (!isGuarded(kept)) {
                remove(
                        kept,
                        isOverCount ? "MAX_COUNT" : "MAX_BYTES",
                        isOverCount ? rules.countScope() : rules.bytesScope());
            }
        }
    }

    private void remove(Kept kept, String cause, String scope) {
        left.events.remove(kept.id);
        gone.add(new Gone(kept, cause, scope));
    }

    private boolean isEligible(Kept kept) {
        return isEligible(left, kept, rules);
    }

    public static boolean isEligible(RetentionModelStream stream, Kept kept, RetentionModelRules rules) {
        return !stream.isProtected(kept) && !isInfinite(kept, rules);
    }

    static boolean isInfinite(Kept kept, RetentionModelRules rules) {
        return kept.ttl.noExpiration() && rules.allowInfinite();
    }

    private boolean isGuarded(Kept kept) {
        if (rules.isTooYoung(left.anchor(kept, rules), now)) {
            return true;
        }
        if (rules.keepLast() == 0) {
            return false;
        }
        if (left.hasExecutions()) {
            return isAmongLast(kept.execution);
        }
        List<Kept> eligible =
                left.inOrder(rules).stream().filter(this::isEligible).toList();
        int index = eligible.indexOf(kept);
        return index >= 0 && eligible.size() - index <= rules.keepLast();
    }

    private boolean isAmongLast(long execution) {
        return left.executions().tailSet(execution).size() <= rules.keepLast();
    }

    /** The last millisecond at which an event that is not protected is alive. */
    public static long due(RetentionModelStream stream, Kept kept, RetentionModelRules rules) {
        long anchor = stream.anchor(kept, rules);
        if (!kept.hasOwnTtl()) {
            return isInfinite(kept, rules) ? RetentionModelRules.FOREVER : rules.dueByAge(anchor);
        }
        long asked = kept.ttl.expiresAt() != null
                ? kept.ttl.expiresAt()
                : RetentionModelRules.plus(anchor, kept.ttl.ttlSeconds() * 1000);
        return rules.bounded(asked, anchor);
    }
}
