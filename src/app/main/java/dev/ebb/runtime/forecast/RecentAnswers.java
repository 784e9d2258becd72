package dev.ebb.runtime.forecast;

import dev.ebb.domain.policy.PolicySet;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The latest answers, valid while outlines and policies are unchanged: people look at the same forecast again and
 * again, and each costs a walk over all streams. Given up when memory is scarce. Thread-safe; two callers may compute
 * the same answer at the same time.
 *
 * @param <Q> a question
 * @param <A> its answer; immutable
 */
final class RecentAnswers<Q, A> {

    private static final int MOST = 8;

    private final Map<Q, SoftReference<A>> answers = new LinkedHashMap<>(MOST, 0.75f, true);
    private WeakReference<Outlines> outlines = new WeakReference<>(null);
    private @Nullable PolicySet policies;

    /**
     * Returns the answer to a question.
     *
     * @param known the outlines behind the answer
     * @param inForce the policies behind the answer
     * @param answer computes the answer
     */
    A of(Q question, Outlines known, PolicySet inForce, Supplier<A> answer) {
        @Nullable A found = find(question, known, inForce);
        if (found == null) {
            found = answer.get();
            keep(question, known, inForce, found);
        }
        return found;
    }

    private synchronized @Nullable A find(Q question, Outlines known, PolicySet inForce) {
        SoftReference<A> kept = isOf(known, inForce) ? answers.get(question) : null;
        return kept == null ? null : kept.get();
    }

    private synchronized void keep(Q question, Outlines known, PolicySet inForce, A answer) {
        if (!isOf(known, inForce)) {
            answers.clear();
            outlines = new WeakReference<>(known);
            policies = inForce;
        }
        answers.put(question, new SoftReference<>(answer));
        if (answers.size() > MOST) {
            answers.remove(answers.keySet().iterator().next());
        }
    }

    private boolean isOf(Outlines known, PolicySet inForce) {
        return outlines.refersTo(known) && policies == inForce;
    }
}
