package dev.ebb.topology.wire;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.Part;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Biggest findings of a sweep by stream and cause; the others are only counted. Not thread-safe. */
public final class BiggestParts {

    private static final Comparator<Part> BIGGEST_FIRST = Comparator.comparingLong(Part::events)
            .reversed()
            .thenComparing(Part::stream)
            .thenComparing(Part::cause);

    /** Bytes that a part takes as JSON besides the name of its stream. */
    private static final int PART_BYTES = 100;

    private final PriorityQueue<Part> parts = new PriorityQueue<>(BIGGEST_FIRST.reversed());
    private final int maxBytes;
    private long bytes;
    private long leftOut;

    /**
     * Begins with these as the biggest, and with that many others.
     *
     * @param maxBytes bytes that they may take as JSON
     */
    public BiggestParts(List<Part> known, long leftOut, int maxBytes) {
        this.maxBytes = maxBytes;
        addAll(known, leftOut);
    }

    public void addAll(List<Part> others, long othersLeftOut) {
        others.forEach(this::add);
        leftOut += othersLeftOut;
    }

    public void add(Part part) {
        parts.add(part);
        bytes += bytes(part);
        while (parts.size() > CommandResult.MAX_PARTS || bytes > maxBytes) {
            bytes -= bytes(parts.remove());
            leftOut++;
        }
    }

    private static int bytes(Part part) {
        return PART_BYTES + RecordLimits.jsonBytes(part.stream());
    }

    /** Parts, the biggest first; a copy. */
    public List<Part> list() {
        return parts.stream().sorted(BIGGEST_FIRST).toList();
    }

    /** Number of parts that are not among the biggest. */
    public long leftOut() {
        return leftOut;
    }
}
