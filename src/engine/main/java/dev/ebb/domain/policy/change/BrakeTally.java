package dev.ebb.domain.policy.change;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The answers of the partitions about one change, and the decision that follows (O-8, T-15): by the share of its scope,
 * and of each namespace together with what it lost within the last hour. Not thread-safe.
 */
public final class BrakeTally {

    /** Most namespaces that a verdict names. */
    private static final int MOST_NAMED = 3;

    private final int partitions;
    private final BrakeLimits limits;
    private final Function<String, SpentDeletes> spent;
    private final Map<Integer, BrakeFinding> findings = new TreeMap<>();

    /** @param spent returns the deletes that count from the last hour, by namespace */
    public BrakeTally(int partitions, BrakeLimits limits, Function<String, SpentDeletes> spent) {
        this.partitions = partitions;
        this.limits = limits;
        this.spent = spent;
    }

    /**
     * Returns the tally of a count that is complete.
     *
     * @param spent returns the deletes that count from the last hour, by namespace
     */
    public static BrakeTally of(BrakeFinding counted, BrakeLimits limits, Function<String, SpentDeletes> spent) {
        BrakeTally tally = new BrakeTally(1, limits, spent);
        tally.add(0, counted);
        return tally;
    }

    /** Verdicts on the answers so far. */
    public enum Verdict {
        /** At least one partition has not answered. */
        INCOMPLETE,
        /** The change may come into force. */
        PASS,
        /** The change must be confirmed first. */
        HOLD,
        /** A partition stopped counting too early for a verdict; ask again with {@link #nextLimit}. */
        ASK_AGAIN
    }

    /** Adds the answer of a partition; a later answer replaces an earlier one. */
    public void add(int partition, BrakeFinding finding) {
        if (partition >= 0 && partition < partitions) {
            findings.put(partition, finding);
        }
    }

    public Verdict verdict() {
        if (findings.size() < partitions) {
            return Verdict.INCOMPLETE;
        }
        BrakeFinding sum = sum();
        if (isBeyondInScope(sum) || !beyond(sum).isEmpty()) {
            return Verdict.HOLD;
        }
        return sum.isAtLeast() ? Verdict.ASK_AGAIN : Verdict.PASS;
    }

    /** Returns the sum of all answers. */
    public BrakeFinding sum() {
        return findings.values().stream().reduce(BrakeFinding.NOTHING, BrakeFinding::plus);
    }

    private boolean isBeyondInScope(BrakeFinding sum) {
        return sum.wouldDelete() > limits.allowed(sum.stored());
    }

    private Stream<NamespaceLoss> losses(BrakeFinding sum) {
        return sum.namespaces().stream().map(loss -> loss.after(spent.apply(loss.namespace())));
    }

    /** Returns the namespaces that would lose more than is allowed, the largest loss first. */
    private List<NamespaceLoss> beyond(BrakeFinding sum) {
        return losses(sum)
                .filter(limits::isBeyond)
                .sorted(Comparator.comparingLong(NamespaceLoss::wouldDelete).reversed())
                .toList();
    }

    /** Returns true if a namespace would lose more than is allowed, by the answers so far. */
    public boolean isBeyondInNamespace() {
        return !beyond(sum()).isEmpty();
    }

    /**
     * Returns the finding for people: the sum of all answers, with the namespaces that hold the change back where its
     * scope as a whole does not.
     */
    public BrakeFinding finding() {
        BrakeFinding sum = sum();
        return sum.of(
                isBeyondInScope(sum)
                        ? List.of()
                        : beyond(sum).stream().limit(MOST_NAMED).toList());
    }

    /** Returns the number up to which a partition must count, so that reaching it decides alone. */
    public long nextLimit() {
        return limits.allowed(sum().stored()) + 1;
    }

    /** Returns the partitions that have not answered. */
    public List<Integer> missing() {
        return IntStream.range(0, partitions)
                .filter(partition -> !findings.containsKey(partition))
                .boxed()
                .toList();
    }
}
