package dev.ebb.domain.policy.change;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The answers of the partitions about one change of policies, and the decision that follows (O-8). Not thread-safe. */
public final class BrakeTally {

    private final int partitions;
    private final BrakeLimits limits;
    private final Map<Integer, BrakeFinding> findings = new TreeMap<>();

    public BrakeTally(int partitions, BrakeLimits limits) {
        this.partitions = partitions;
        this.limits = limits;
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
        if (sum.wouldDelete() > limits.allowed(sum.stored())) {
            return Verdict.HOLD;
        }
        return sum.isAtLeast() ? Verdict.ASK_AGAIN : Verdict.PASS;
    }

    /** Returns the sum of all answers. */
    public BrakeFinding sum() {
        return findings.values().stream().reduce(BrakeFinding.NOTHING, BrakeFinding::plus);
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
