package dev.ebb.topology.wire;

import dev.ebb.topology.wire.ErrandBodies.Candidate;
import dev.ebb.topology.wire.ErrandBodies.Gathered;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Candidates of all partitions, page by page; the oldest of all are taken first. Not thread-safe. */
public final class CandidatePages {

    private static final Page BEFORE_THE_FIRST = new Page(List.of(), false, false, null);

    private final Map<Integer, Page> pages;
    private final int partitions;

    public CandidatePages(Map<Integer, Page> known, int partitions) {
        this.pages = new TreeMap<>(known);
        this.partitions = partitions;
    }

    /**
     * Candidates of one partition on which no work has begun.
     *
     * @param isAsked true if the next candidates are on their way
     * @param isLast true if no more follow
     * @param last the last candidate that the partition named; null before the first
     */
    public record Page(
            List<Candidate> candidates,
            boolean isAsked,
            boolean isLast,
            @Nullable Candidate last) {}

    /** Returns the pages by partition, to be saved; a live view. */
    public Map<Integer, Page> all() {
        return pages;
    }

    public void clear() {
        pages.clear();
    }

    /** Takes the next candidates of a partition; returns false if they were not asked for. */
    public boolean add(int partition, Gathered answer) {
        Page page = page(partition);
        if (!page.isAsked()) {
            return false;
        }
        List<Candidate> found = answer.candidates();
        Candidate last = found.isEmpty() ? page.last() : found.get(found.size() - 1);
        pages.put(partition, new Page(found, false, answer.isLast(), last));
        return true;
    }

    /** Returns the partitions that must be asked for their next candidates, which count as on their way from now on. */
    public List<Integer> toAsk() {
        List<Integer> asked = IntStream.range(0, partitions)
                .filter(partition -> isUsedUp(page(partition)))
                .boxed()
                .toList();
        asked.forEach(partition -> pages.put(partition, new Page(List.of(), true, false, last(partition))));
        return asked;
    }

    private static boolean isUsedUp(Page page) {
        return page.candidates().isEmpty() && !page.isLast() && !page.isAsked();
    }

    /** Returns true if a partition has yet to name its next candidates. */
    public boolean isWaiting() {
        return pages.values().stream().anyMatch(Page::isAsked);
    }

    /** Returns the last candidate that the partition named; null before the first. */
    @Nullable
    public Candidate last(int partition) {
        return page(partition).last();
    }

    /** Takes out the oldest candidates of all, by partition; stops where the next ones of a partition are not known. */
    public Map<Integer, List<String>> takeOldest(long most) {
        Map<Integer, List<String>> taken = new TreeMap<>();
        Integer partition = oldest();
        for (long left = most; left > 0 && partition != null; left--) {
            Page page = page(partition);
            List<Candidate> candidates = page.candidates();
            taken.computeIfAbsent(partition, key -> new ArrayList<>()).add(candidates.get(0).stream());
            Page rest = new Page(candidates.subList(1, candidates.size()), false, page.isLast(), page.last());
            pages.put(partition, rest);
            // The next candidate of this partition may be older than those of the others.
            partition = isUsedUp(rest) ? null : oldest();
        }
        return taken;
    }

    private @Nullable Integer oldest() {
        Integer oldest = null;
        Candidate first = null;
        for (var entry : pages.entrySet()) {
            List<Candidate> candidates = entry.getValue().candidates();
            if (!candidates.isEmpty() && (first == null || candidates.get(0).compareTo(first) < 0)) {
                first = candidates.get(0);
                oldest = entry.getKey();
            }
        }
        return oldest;
    }

    private Page page(int partition) {
        return pages.getOrDefault(partition, BEFORE_THE_FIRST);
    }
}
