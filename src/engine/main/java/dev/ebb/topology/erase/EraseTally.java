package dev.ebb.topology.erase;

import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Count of the events and copies that an erasure of one partition took, and of those that it left. Not thread-safe. */
public final class EraseTally {

    /** The most cases that are named. */
    private static final int MOST_CASES = 10;

    private final Set<StreamName> streams = new HashSet<>();
    private final Map<Refusal, Set<StreamName>> skipped = new EnumMap<>(Refusal.class);
    private final Map<Refusal, Long> left = new EnumMap<>(Refusal.class);
    private final Set<String> cases = new TreeSet<>();
    private CommandCounts erased;
    private long copies;
    private long copiesLeft;

    /**
     * @param erased counts of the work before a crash
     * @param copies number of copies before a crash
     */
    public EraseTally(CommandCounts erased, long copies) {
        this.erased = erased;
        this.copies = copies;
    }

    /** Counts an event that went, or would go. */
    public void event(StreamName stream, boolean isProtected, long bytes) {
        long streamsMore = streams.add(stream) ? 1 : 0;
        erased = erased.plus(new CommandCounts(streamsMore, 0, 0, 1, isProtected ? 1 : 0, bytes, Map.of()));
    }

    /** Counts an event or a copy that stays. */
    public void left(StreamName stream, Refusal reason, List<String> casesOfHolds) {
        skipped.computeIfAbsent(reason, none -> new HashSet<>()).add(stream);
        left.merge(reason, 1L, Long::sum);
        if (cases.size() < MOST_CASES) {
            cases.addAll(casesOfHolds);
        }
    }

    /** Counts a copy that was erased, or would be. */
    public void copy() {
        copies++;
    }

    /** Counts a copy that cannot be erased. */
    public void copyLeft() {
        copiesLeft++;
    }

    /** Counts that outlast a crash: what stays is found again. */
    public CommandCounts erased() {
        return erased;
    }

    /** Number of copies that were erased. */
    public long copies() {
        return copies;
    }

    /** All counts, those of streams with events that stay among them. */
    public CommandCounts counts() {
        Map<Refusal, Long> byReason = new EnumMap<>(Refusal.class);
        skipped.forEach((reason, names) -> byReason.put(reason, (long) names.size()));
        Set<StreamName> others = new HashSet<>();
        skipped.values().forEach(others::addAll);
        others.removeAll(streams);
        return erased.plus(new CommandCounts(others.size(), 0, 0, 0, 0, 0, byReason));
    }

    /**
     * Says for people what the counts do not.
     *
     * @param damaged number of events that could not be read
     */
    public String detail(long damaged) {
        List<String> parts = new ArrayList<>();
        add(parts, copies, "copies of events that had gone before went as well");
        add(parts, left.getOrDefault(Refusal.HELD, 0L), "stay: held by " + cases);
        add(parts, left.getOrDefault(Refusal.PROTECTED, 0L), "stay: protected, which --force passes over");
        add(parts, left.getOrDefault(Refusal.NOT_READY, 0L), "stay: their streams are quarantined");
        add(parts, copiesLeft, "copies of a former version stay until their topic lets them go");
        add(parts, damaged, "events are damaged and could not be looked at");
        return parts.stream().collect(Collectors.joining("; "));
    }

    private static void add(List<String> parts, @Nullable Long number, String text) {
        if (number != null && number > 0) {
            parts.add(number + " " + text);
        }
    }
}
