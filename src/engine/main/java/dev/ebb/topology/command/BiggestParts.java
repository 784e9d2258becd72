package dev.ebb.topology.command;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.Part;
import dev.ebb.topology.wire.RecordLimits;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The biggest of what a sweep found by stream and cause; of the others it is only known how many there are. Not thread-safe. */
final class BiggestParts {

    private static final Comparator<Part> BIGGEST_FIRST = Comparator.comparingLong(Part::events)
            .reversed()
            .thenComparing(Part::stream)
            .thenComparing(Part::cause);

    /** What a part takes as JSON besides the name of its stream. */
    private static final int PART_BYTES = 100;

    private final PriorityQueue<Part> parts = new PriorityQueue<>(BIGGEST_FIRST.reversed());
    private final int maxBytes;
    private long bytes;
    private long leftOut;

    /**
     * Takes these for the biggest of them all and that many more.
     *
     * @param maxBytes what they may take as JSON
     */
    BiggestParts(List<Part> known, long leftOut, int maxBytes) {
        this.maxBytes = maxBytes;
        addAll(known, leftOut);
    }

    void addAll(List<Part> others, long othersLeftOut) {
        others.forEach(this::add);
        leftOut += othersLeftOut;
    }

    void add(Part part) {
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

    /** The biggest first; a copy. */
    List<Part> list() {
        return parts.stream().sorted(BIGGEST_FIRST).toList();
    }

    /** How many are not among them. */
    long leftOut() {
        return leftOut;
    }
}
