package dev.ebb.api.commands;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.serde.text.EventJson;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Outcome of a command, with the names of the fields of its record; times as ISO-8601. */
public final class CommandView {

    private CommandView() {}

    public static ObjectNode of(CommandResult result) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        Refusal refusal = result.refusal();
        json.put("commandId", result.commandId());
        json.put("verb", result.verb());
        json.put("state", result.state().name());
        json.put("refusal", refusal == null ? null : refusal.name());
        json.put("detail", result.detail());
        json.put("dryRun", result.isDryRun());
        put(json, result.counts());
        json.put("wouldDelete", result.wouldDelete());
        json.put("wouldDeleteBytes", result.wouldDeleteBytes());
        put(json.putArray("parts"), result.parts());
        json.put("partsLeftOut", result.partsLeftOut());
        json.put("sweepPoint", time(result.sweepPointMs()));
        json.put("policyVersion", result.policyVersion());
        json.put("startedAt", time(result.startedMs()));
        json.put("updatedAt", time(result.updatedMs()));
        json.put("completedAt", time(result.isFinal() ? (Long) result.updatedMs() : null));
        json.put("durationMs", Math.max(0, result.updatedMs() - result.startedMs()));
        return json;
    }

    private static void put(ObjectNode json, CommandCounts counts) {
        json.put("streamsProcessed", counts.streamsProcessed());
        json.put("streamsDeleted", counts.streamsDeleted());
        json.put("executionsDeleted", counts.executionsDeleted());
        json.put("eventsDeleted", counts.eventsDeleted());
        json.put("protectedEventsDeleted", counts.protectedEventsDeleted());
        json.put("bytesDeleted", counts.bytesDeleted());
        ObjectNode skipped = json.putObject("streamsSkipped");
        new TreeMap<>(counts.streamsSkipped()).forEach((reason, streams) -> skipped.put(reason.name(), streams));
        json.put("rowsSent", counts.rowsSent());
        json.put("rowsRemoved", counts.rowsRemoved());
        json.put("recordsDropped", counts.recordsDropped());
    }

    private static void put(ArrayNode json, List<CommandResult.Part> parts) {
        for (CommandResult.Part part : parts) {
            json.addObject()
                    .put("stream", part.stream())
                    .put("cause", part.cause().name())
                    .put("events", part.events())
                    .put("bytes", part.bytes());
        }
    }

    private static @Nullable String time(@Nullable Long ms) {
        return ms == null ? null : EventJson.time(ms);
    }
}
