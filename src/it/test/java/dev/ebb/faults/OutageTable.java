package dev.ebb.faults;

import dev.ebb.faults.AnchorReads.Read;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Outages of each change of membership, of the partitions that move and of those that stay. */
final class OutageTable {

    private static final String LINE = "%-16s %7s %-44s %7s %6s %8s %8s   %-12s %7s %6s %8s %8s  %s%n";

    private final List<Row> rows = new ArrayList<>();

    /**
     * Reads of some partitions during one change.
     *
     * @param outages for each partition the longest time in which reads through one instance failed, from the first read in
     *     vain to the end of the first answer, in milliseconds
     * @param slowestMs the longest that a read took, answered or not
     */
    record Reads(Map<Integer, Long> outages, int reads, int failed, long slowestMs) {

        long longestMs() {
            return outages.values().stream().mapToLong(Long::longValue).max().orElse(0);
        }

        static Reads of(Set<Integer> partitions, List<Read> all) {
            List<Read> own = all.stream()
                    .filter(read -> partitions.contains(read.partition()))
                    .toList();
            Map<Integer, Long> outages = new TreeMap<>();
            partitions.forEach(partition -> outages.put(partition, 0L));
            own.stream()
                    .collect(Collectors.groupingBy(read -> read.partition() + read.via()))
                    .values()
                    .forEach(reads -> outages.merge(reads.get(0).partition(), longestOutage(reads), Math::max));
            return new Reads(
                    outages,
                    own.size(),
                    (int) own.stream().filter(read -> !read.isGood()).count(),
                    own.stream().mapToLong(Read::millis).max().orElse(0));
        }

        private static long longestOutage(List<Read> reads) {
            List<Read> inOrder = reads.stream()
                    .sorted(Comparator.comparingLong(Read::beginNanos))
                    .toList();
            long longest = 0;
            Read first = null;
            for (Read read : inOrder) {
                if (first == null && !read.isGood()) {
                    first = read;
                }
                if (first != null) {
                    longest = Math.max(longest, (read.endNanos() - first.beginNanos()) / 1_000_000);
                }
                if (read.isGood()) {
                    first = null;
                }
            }
            return longest;
        }
    }

    /** One change of membership. */
    record Row(String change, long seconds, Reads moving, Reads staying, Map<String, Integer> failures) {}

    /** Adds a change, in which these reads were made and these partitions left their instance. */
    Row add(String change, long seconds, Set<Integer> all, Set<Integer> moved, List<Read> reads) {
        Set<Integer> stayed = new TreeSet<>(all);
        stayed.removeAll(moved);
        Map<String, Integer> failures = new TreeMap<>();
        reads.stream()
                .filter(read -> !read.isGood())
                .forEach(read -> failures.merge(
                        (moved.contains(read.partition()) ? "moving: " : "staying: ")
                                + read.failure().replaceAll("\\d{4,}", "N").replaceAll("partition \\d+", "partition N"),
                        1,
                        Integer::sum));
        Row row = new Row(change, seconds, Reads.of(moved, reads), Reads.of(stayed, reads), failures);
        rows.add(row);
        return row;
    }

    String text() {
        StringBuilder text = new StringBuilder("%nOutages%n".formatted());
        text.append(LINE.formatted(
                "change", "seconds", "moving", "reads", "failed", "out ms", "slow ms", "staying", "reads", "failed",
                "out ms", "slow ms", ""));
        rows.forEach(row -> text.append(line(row)));
        rows.forEach(row -> row.failures()
                .forEach((failure, count) -> text.append("%s: %d times %s%n".formatted(row.change(), count, failure))));
        return text.toString();
    }

    static String line(Row row) {
        Reads moving = row.moving();
        Reads staying = row.staying();
        return LINE.formatted(
                row.change(),
                row.seconds(),
                numbers(moving),
                moving.reads(),
                moving.failed(),
                moving.longestMs(),
                moving.slowestMs(),
                numbers(staying),
                staying.reads(),
                staying.failed(),
                staying.longestMs(),
                staying.slowestMs(),
                "");
    }

    /** The partitions, each with its longest outage in milliseconds if it had one. */
    private static String numbers(Reads reads) {
        return reads.outages().entrySet().stream()
                .map(one -> one.getKey() + (one.getValue() == 0 ? "" : ":" + one.getValue()))
                .collect(Collectors.joining(" "));
    }
}
