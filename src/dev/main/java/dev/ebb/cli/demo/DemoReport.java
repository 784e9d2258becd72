package dev.ebb.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.files.Readers;
import dev.ebb.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Result of a run.
 *
 * @param unreadable number of lines that were not sent
 * @param status the last status of the application
 * @param comparison the last comparison of stores and SQL
 */
record DemoReport(long unreadable, JsonNode status, Comparison comparison) {

    /** Returns the counts, the deletes by cause, and whether stores and SQL agree. */
    ObjectNode json() {
        JsonNode counts = status.path("counts");
        ObjectNode json = Json.object().put("unreadable", unreadable);
        for (String count : List.of("ingested", "updated", "orphaned", "rejected")) {
            json.put(count, counts.path(count).longValue());
        }
        json.put("stored", comparison.stored().size())
                .put("sql", comparison.sql().size());
        ObjectNode removed = json.putObject("removed");
        counts.path("removed")
                .properties()
                .forEach(cause -> removed.put(
                        cause.getKey(), cause.getValue().path("events").longValue()));
        return json.put("sweepPoint", sweepPoint()).put("agree", comparison.agrees());
    }

    /** Writes the events of both sides and the report itself. */
    void write(Path folder) {
        try {
            Files.createDirectories(folder);
            writeEvents(folder.resolve("events.jsonl"), comparison.stored());
            writeEvents(folder.resolve("sql.jsonl"), comparison.sql());
            WholeFile.write(folder.resolve("report.json"), Readers.ALL, out -> out.write(Json.pretty(json()) + "\n"));
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Returns the point of the last sweep that deleted something, or else of the last sweep, epoch milliseconds. */
    private long sweepPoint() {
        long deleted = last("lastDeletePoint");
        return deleted >= 0 ? deleted : last("lastSweepPoint");
    }

    private long last(String field) {
        long last = -1;
        for (JsonNode partition : status.path("partitions")) {
            String time = partition.path(field).textValue();
            last = time == null ? last : Math.max(last, Instant.parse(time).toEpochMilli());
        }
        return last;
    }

    private static void writeEvents(Path file, List<EventRef> events) throws IOException {
        WholeFile.write(file, Readers.ALL, out -> {
            for (EventRef event : events) {
                out.write(
                        Json.compact(Json.object().put("stream", event.stream()).put("id", event.id())));
                out.write('\n');
            }
        });
    }
}
