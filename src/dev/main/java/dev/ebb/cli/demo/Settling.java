package dev.ebb.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.terminal.Texts;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tells when all work is done: the input is taken in, every partition has swept since then, and nothing is due or on
 * its way to SQL. Remembers when the input was first taken in completely; not thread-safe.
 */
final class Settling {

    private final int partitions;
    private final Clock clock;
    private @Nullable Instant consumedAt;

    /** @param clock the clock of the application */
    Settling(int partitions, Clock clock) {
        this.partitions = partitions;
        this.clock = clock;
    }

    /** Returns what is still to wait for, for people; empty if there is nothing. */
    String waitingFor(JsonNode status) {
        String input = input(status);
        if (!input.isEmpty()) {
            consumedAt = null;
            return input;
        }
        Instant since = consumedAt == null ? clock.instant() : consumedAt;
        consumedAt = since;
        for (JsonNode partition : status.path("partitions")) {
            String sweep = sweep(partition, since);
            if (!sweep.isEmpty()) {
                return sweep;
            }
        }
        return mirror(status.path("mirror").path("lag"));
    }

    private String input(JsonNode status) {
        if (status.path("partitions").size() != partitions) {
            return "all partitions to be ready";
        }
        JsonNode lag = status.path("input").path("lag");
        if (!lag.isNumber()) {
            return "the first look at the input";
        }
        return lag.longValue() == 0 ? "" : Texts.count(lag) + " records to be taken in";
    }

    private static String sweep(JsonNode partition, Instant since) {
        String name = "partition " + partition.path("partition").asText();
        String point = partition.path("lastSweepPoint").textValue();
        if (partition.path("parkedRecords").longValue() > 0) {
            return Texts.count(partition.path("parkedRecords")) + " parked records of " + name;
        }
        if (point == null || !Instant.parse(point).isAfter(since)) {
            return "a sweep of " + name;
        }
        long due = partition.path("dueStreams").longValue()
                + partition.path("movingStreams").longValue();
        return due == 0 ? "" : "due events in " + due + " streams of " + name;
    }

    private static String mirror(JsonNode lag) {
        return lag.longValue() == 0 ? "" : Texts.count(lag) + " records on their way to SQL";
    }
}
