package dev.ebb.domain.policy.change;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Number of events that a change would delete within the horizon of the brake, and that the state before it would still
 * keep at that time.
 *
 * @param wouldDelete number of these events
 * @param isAtLeast true if there may be more, since counting stopped at {@code wouldDelete}
 * @param stored number of events stored in the scope of the change
 * @param namespaces shares of single namespaces, each named once: in the answer of a partition those that the change
 *     concerns; in a verdict those that are beyond the limits
 */
public record BrakeFinding(long wouldDelete, boolean isAtLeast, long stored, List<NamespaceLoss> namespaces) {

    /** A finding without events, due or stored. */
    public static final BrakeFinding NOTHING = new BrakeFinding(0, false, 0);

    /** Creates a finding that says nothing about single namespaces. */
    public BrakeFinding(long wouldDelete, boolean isAtLeast, long stored) {
        this(wouldDelete, isAtLeast, stored, List.of());
    }

    /** @throws IllegalArgumentException if a count is negative */
    public BrakeFinding {
        namespaces = namespaces == null ? List.of() : List.copyOf(namespaces);
        if (wouldDelete < 0 || stored < 0) {
            throw new IllegalArgumentException(
                    "a finding must not be negative, was " + wouldDelete + " of " + stored + " events");
        }
    }

    /**
     * Returns true if the change makes no more than so many events due. A count that stopped early may be as large as
     * the number of stored events.
     */
    public boolean isWithin(long most) {
        return wouldDelete <= most && (!isAtLeast || stored <= most);
    }

    /**
     * Returns the sum of both; a count stops at the largest long. Each may have any of the namespaces that it does not
     * name among its {@linkplain NamespaceLoss#OTHERS others}.
     */
    public BrakeFinding plus(BrakeFinding other) {
        return new BrakeFinding(
                sum(wouldDelete, other.wouldDelete),
                isAtLeast || other.isAtLeast,
                sum(stored, other.stored),
                both(namespaces, other.namespaces));
    }

    private static List<NamespaceLoss> both(List<NamespaceLoss> some, List<NamespaceLoss> others) {
        Map<String, NamespaceLoss> one = byName(some);
        Map<String, NamespaceLoss> other = byName(others);
        TreeSet<String> names = new TreeSet<>(one.keySet());
        names.addAll(other.keySet());
        return names.stream().map(name -> in(one, name).plus(in(other, name))).toList();
    }

    private static Map<String, NamespaceLoss> byName(List<NamespaceLoss> losses) {
        Map<String, NamespaceLoss> byName = new TreeMap<>();
        losses.forEach(loss -> byName.put(loss.namespace(), loss));
        return byName;
    }

    /** Returns the largest loss that the namespace may have there. */
    private static NamespaceLoss in(Map<String, NamespaceLoss> losses, String name) {
        NamespaceLoss own = losses.get(name);
        NamespaceLoss others = losses.get(NamespaceLoss.OTHERS);
        return own != null ? own : new NamespaceLoss(name, others == null ? 0 : others.wouldDelete(), 0);
    }

    /** Returns this finding with no more namespaces than that, see {@link NamespaceLoss#largest}. */
    public BrakeFinding largest(int most) {
        return of(NamespaceLoss.largest(namespaces, most));
    }

    /** Returns this finding with the given namespaces only. */
    public BrakeFinding of(List<NamespaceLoss> some) {
        return new BrakeFinding(wouldDelete, isAtLeast, stored, some);
    }

    /** Returns this finding with only the namespaces that lose events. */
    public BrakeFinding ofLosses() {
        return of(namespaces.stream().filter(loss -> loss.wouldDelete() > 0).toList());
    }

    static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /**
     * Returns a text for people, such as {@code would delete at least 12000 of 40000 events} or {@code would delete 900
     * of 40000 events, 800 of 900 in the namespace orders}.
     */
    @Override
    public String toString() {
        String all = "would delete " + (isAtLeast ? "at least " : "") + wouldDelete + " of " + stored
                + (stored == 1 ? " event" : " events");
        return namespaces.isEmpty() ? all : all + ", " + namespaces.get(0).text(isAtLeast);
    }
}
