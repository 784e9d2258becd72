package dev.ebb.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Outcome of each fault, for people and for programs. */
final class FaultTable {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final String LINE = "%-14s %-9s %6s %9s %9s %11s %7s  %s%n";

    private final List<Row> rows = new ArrayList<>();

    /**
     * One fault.
     *
     * @param events records that came in while it ran
     * @param deletes events that were deleted meanwhile
     * @param outcome passed, failed or skipped
     */
    record Row(
            String fault,
            String outcome,
            int rounds,
            long events,
            long deletes,
            List<String> differences,
            long seconds,
            String remarks) {

        String said() {
            return fault + " " + outcome + ", " + rounds + " rounds, " + events + " events, " + deletes + " deletes, "
                    + differences.size() + " differences, " + seconds + " s " + remarks;
        }
    }

    void add(Row row) {
        rows.add(row);
    }

    /** Writes the table and the same as JSON, with every difference. */
    void write(Path folder, long seed, boolean isFull) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("faults.txt"), text(seed, isFull));
        Map<String, Object> all = Map.of("seed", seed, "size", isFull ? "full" : "smoke", "faults", rows);
        Files.write(folder.resolve("faults.json"), JSON.writeValueAsBytes(all));
    }

    String text(long seed, boolean isFull) {
        StringBuilder text =
                new StringBuilder("%nFaults, %s, -Dfaults.seed=%d%n".formatted(isFull ? "full" : "smoke", seed));
        text.append(
                LINE.formatted("fault", "outcome", "rounds", "events", "deletes", "differences", "seconds", "remarks"));
        rows.forEach(row -> text.append(LINE.formatted(
                row.fault,
                row.outcome,
                row.rounds,
                row.events,
                row.deletes,
                row.differences.size(),
                row.seconds,
                row.remarks)));
        text.append(LINE.formatted(
                "total",
                rows.stream().allMatch(row -> !row.outcome.equals("failed")) ? "passed" : "failed",
                rows.stream().mapToInt(Row::rounds).sum(),
                rows.stream().mapToLong(Row::events).sum(),
                rows.stream().mapToLong(Row::deletes).sum(),
                rows.stream().mapToInt(row -> row.differences.size()).sum(),
                rows.stream().mapToLong(Row::seconds).sum(),
                ""));
        return text.toString();
    }
}
