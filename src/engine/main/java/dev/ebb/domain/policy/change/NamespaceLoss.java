package dev.ebb.domain.policy.change;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Number of events of one namespace that a change would delete, see {@link BrakeFinding}.
 *
 * @param namespace the namespace; {@link #OTHERS} for one that is not named, since there are too many
 * @param wouldDelete number of these events
 * @param stored number of events stored in the namespace; where it lost more within the last hour, the largest number
 * @param earlier number of events that other changes of the last hour delete there, none of which was confirmed
 */
public record NamespaceLoss(String namespace, long wouldDelete, long stored, long earlier) {

    /** Stands for any of the namespaces that an answer leaves out: no namespace has an empty name. */
    public static final String OTHERS = "";

    /** The largest losses first, of equal ones those in the namespaces with the most events. */
    private static final Comparator<NamespaceLoss> LARGEST_FIRST = Comparator.comparingLong(NamespaceLoss::wouldDelete)
            .thenComparingLong(NamespaceLoss::stored)
            .reversed();

    /** @throws IllegalArgumentException if a count is negative */
    public NamespaceLoss {
        Objects.requireNonNull(namespace, "a loss names its namespace");
        if (wouldDelete < 0 || stored < 0 || earlier < 0) {
            throw new IllegalArgumentException("the loss of a namespace must not be negative, was " + wouldDelete
                    + " of " + stored + " events after " + earlier);
        }
    }

    /** Creates a loss of a namespace that has lost nothing within the last hour. */
    public NamespaceLoss(String namespace, long wouldDelete, long stored) {
        this(namespace, wouldDelete, stored, 0);
    }

    /** Returns the sum of two partitions; a count stops at the largest long. */
    NamespaceLoss plus(NamespaceLoss other) {
        return new NamespaceLoss(
                namespace,
                BrakeFinding.sum(wouldDelete, other.wouldDelete),
                BrakeFinding.sum(stored, other.stored),
                Math.max(earlier, other.earlier));
    }

    /** Returns this loss after the deletes of the last hour. */
    NamespaceLoss after(SpentDeletes spent) {
        return new NamespaceLoss(namespace, wouldDelete, Math.max(stored, spent.stored()), spent.events());
    }

    /**
     * Returns a text for people, such as {@code 800 of 900 in the namespace orders}.
     *
     * @param isAtLeast true if there may be more
     */
    String text(boolean isAtLeast) {
        String here = (isAtLeast ? "at least " : "") + wouldDelete + " of " + stored + " in "
                + (namespace.equals(OTHERS) ? "one of many namespaces" : "the namespace " + namespace);
        return earlier == 0 ? here : here + ", where others of the last hour delete " + earlier;
    }

    /**
     * Returns no more namespaces than that: those with the largest losses, then those with the most events. The largest
     * loss of all {@linkplain #OTHERS others} stands for each of them.
     */
    public static List<NamespaceLoss> largest(List<NamespaceLoss> losses, int most) {
        List<NamespaceLoss> named = new ArrayList<>(losses);
        named.removeIf(loss -> loss.namespace().equals(OTHERS));
        if (named.size() <= most) {
            return losses;
        }
        named.sort(LARGEST_FIRST);
        long others = losses.stream()
                .filter(loss -> loss.namespace().equals(OTHERS))
                .mapToLong(NamespaceLoss::wouldDelete)
                .reduce(named.get(most).wouldDelete(), Math::max);
        List<NamespaceLoss> listed = new ArrayList<>(named.subList(0, most));
        listed.add(new NamespaceLoss(OTHERS, others, 0));
        return listed;
    }
}
