package dev.ebb.domain.erase;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.plan.LeftOut;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Findings of an erasure in addition to the counts of every command.
 *
 * @param copies number of erased copies of events that had gone before
 * @param damaged number of stored events that could not be read
 * @param left number of events and copies that stay, by reason
 * @param cases the cases of holds that keep events or copies, the first {@link #MOST_CASES}
 * @param rest further bytes that could not be examined
 */
public record EraseFindings(long copies, long damaged, Map<LeftOut, Long> left, List<String> cases, EraseRest rest) {

    /** Maximum number of cases that are named. */
    public static final int MOST_CASES = 10;

    /** Nothing was found. */
    public static final EraseFindings NOTHING = new EraseFindings(0, 0, Map.of(), List.of(), EraseRest.NOTHING);

    public EraseFindings {
        left = Snapshot.of(left);
        cases = List.copyOf(cases);
    }

    /** Returns the sum of these findings and those of another partition. */
    public EraseFindings plus(EraseFindings other) {
        Map<LeftOut, Long> all = new EnumMap<>(LeftOut.class);
        all.putAll(left);
        other.left.forEach((reason, number) -> all.merge(reason, number, Long::sum));
        TreeSet<String> named = new TreeSet<>(cases);
        named.addAll(other.cases);
        return new EraseFindings(
                copies + other.copies,
                damaged + other.damaged,
                all,
                named.stream().limit(MOST_CASES).toList(),
                rest.plus(other.rest));
    }

    /** Returns the number of events that match and stay, by reason. */
    public Map<LeftOut, Long> staying() {
        Map<LeftOut, Long> staying = new EnumMap<>(LeftOut.class);
        for (LeftOut reason :
                List.of(LeftOut.HELD, LeftOut.PROTECTED, LeftOut.NOT_READY, LeftOut.FAILED, LeftOut.UNCOUNTED)) {
            long number = left.getOrDefault(reason, 0L);
            if (number > 0) {
                staying.put(reason, number);
            }
        }
        return staying;
    }

    /**
     * Returns the findings for people; empty if there are none.
     *
     * @param isDryRun true if nothing was erased
     */
    public String detail(boolean isDryRun) {
        List<String> parts = new ArrayList<>();
        add(parts, copies, "copies of events that had gone before " + (isDryRun ? "would go as well" : "went as well"));
        add(parts, left.get(LeftOut.HELD), "stay: held by " + cases);
        add(parts, left.get(LeftOut.PROTECTED), "stay: protected, which --force passes over");
        add(parts, left.get(LeftOut.NOT_READY), "stay: their streams are quarantined");
        add(parts, left.get(LeftOut.FAILED), "stay: their streams have a fault");
        add(
                parts,
                left.get(LeftOut.UNCOUNTED),
                "stay: they match only since the count for the brake; erase again to take them");
        add(parts, damaged, "events are damaged and could not be looked at");
        add(parts, rest.unreadCopies(), "copies are damaged and could not be looked at");
        add(parts, rest.rejectedRecords(), "rejected records match and stay until their topic lets them go");
        add(parts, rest.unreadRejected(), "rejected records cannot be read and may match");
        add(parts, rest.waitingRecords(), "waiting records could not be searched");
        return parts.stream().collect(Collectors.joining("; "));
    }

    private static void add(List<String> parts, @Nullable Long number, String text) {
        if (number != null && number > 0) {
            parts.add(number + " " + text);
        }
    }
}
