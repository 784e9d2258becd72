package dev.ebb.source;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.RetentionDecider;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shows a trial: a line for each record, then the sums by namespace.
 *
 * @param trial the trial, decided
 */
record TrialReport(SampleTrial trial) {

    /** The last moment that people write; a later time is never. */
    private static final long FAR_MS = 253_402_300_799_999L;

    void print(Terminal terminal) {
        new Columns<SampleRow>()
                .left("RECORD", row -> row.record().at())
                .left("STREAM", row -> of(row.event() == null ? null : row.event().event().stream()))
                .left("ID", SampleRow::id)
                .left("STATUS", row -> row.event() == null ? null : status(row.event()))
                .left("DUE", this::due)
                .wrapped("DECISION", 30, this::decision)
                .table(trial.rows())
                .print(terminal);
        if (!trial.sums().isEmpty()) {
            terminal.out().println();
            new Columns<Map.Entry<String, SampleTrial.Sums>>()
                    .left("NAMESPACE", Map.Entry::getKey)
                    .count("EVENTS", entry -> entry.getValue().events())
                    .count("GO NOW", entry -> entry.getValue().now())
                    .count("IN A DAY", entry -> entry.getValue().inADay())
                    .count("IN A WEEK", entry -> entry.getValue().inAWeek())
                    .left("MODE", entry -> mode(entry.getKey()))
                    .table(trial.sums().entrySet())
                    .print(terminal);
        }
    }

    private String mode(String namespace) {
        boolean isEnforced = trial.judge().policies().effectiveIn(namespace).isEnforced();
        return isEnforced ? "enforce" : "warn: deletes nothing";
    }

    private static @Nullable String of(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static @Nullable String status(StoredEvent event) {
        String status = event.event().status();
        return event.isProtected() ? status + " (protects)" : status;
    }

    private @Nullable String due(SampleRow row) {
        Instant due = dueAt(row);
        return due == null ? null : Texts.second(due);
    }

    /** Returns the last moment of the event by age or its own TTL; null if it has none, or the row is no event. */
    private @Nullable Instant dueAt(SampleRow row) {
        StoredEvent event = row.event();
        if (event == null || event.isProtected()) {
            return null;
        }
        EffectivePolicy policy = trial.judge().policies().effective(event.event().stream());
        long dueMs = RetentionDecider.dueAtMs(event, policy);
        return dueMs > FAR_MS ? null : Instant.ofEpochMilli(dueMs);
    }

    private Cell decision(SampleRow row) {
        if (row.fault() != null) {
            return new Cell(
                    row.fault().reason() + ": " + row.fault().path() + " "
                            + row.fault().message(),
                    Style.RED);
        }
        if (row.word() != null) {
            return new Cell(row.word(), Style.DIM);
        }
        Decision decision = trial.decision(row);
        if (decision instanceof Decision.Remove remove) {
            return new Cell("goes: " + remove.cause(), Style.YELLOW);
        }
        return new Cell("stays" + (decision instanceof Decision.Keep keep ? ": " + word(keep) : ""), Style.GREEN);
    }

    private static String word(Decision.Keep keep) {
        return keep.reason().name().toLowerCase(Locale.ROOT);
    }

    ObjectNode json() {
        ObjectNode result = Json.object();
        ArrayNode records = result.putArray("records");
        trial.rows().forEach(row -> json(records.addObject(), row));
        ArrayNode namespaces = result.putArray("namespaces");
        trial.sums().forEach((name, sums) -> namespaces
                .addObject()
                .put("namespace", name)
                .put("events", sums.events())
                .put("now", sums.now())
                .put("inADay", sums.inADay())
                .put("inAWeek", sums.inAWeek())
                .put("isEnforced", trial.judge().policies().effectiveIn(name).isEnforced()));
        result.put("faults", trial.faults());
        return result;
    }

    private void json(ObjectNode object, SampleRow row) {
        object.put("source", row.source())
                .put("topic", row.record().topic())
                .put("partition", row.record().partition())
                .put("offset", row.record().offset());
        StoredEvent event = row.event();
        if (event != null) {
            object.put("stream", event.event().stream().value())
                    .put("status", event.event().status());
            object.put("isProtected", event.isProtected());
            Json.putGiven(object, "dueAt", of(dueAt(row)));
        }
        Json.putGiven(object, "id", row.id());
        Json.putGiven(object, "meaning", row.word());
        Decision decision = trial.decision(row);
        if (decision instanceof Decision.Remove remove) {
            object.put("decision", "REMOVE").put("reason", remove.cause().name());
        } else if (decision instanceof Decision.Keep keep) {
            object.put("decision", "KEEP").put("reason", keep.reason().name());
        }
        if (row.fault() != null) {
            object.putObject("fault")
                    .put("reason", row.fault().reason().name())
                    .put("path", row.fault().path())
                    .put("message", row.fault().message());
        }
    }
}
