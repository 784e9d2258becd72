package dev.ebb.wire.commands;

import dev.ebb.domain.undo.UndoOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Events that an undo brings back, and those that it does not.
 *
 * @param events number of events that are back, or would come back
 * @param bytes their size as counted against {@code maxBytes}
 * @param streams number of their streams
 * @param executions number of executions that are back, or would come back
 * @param notReturned number of events that do not come back, by reason
 * @param named the first events that do not come back
 */
public record UndoView(
        long events, long bytes, long streams, long executions, Map<String, Long> notReturned, List<Left> named) {

    /** An event that does not come back. */
    public record Left(String stream, String id, String reason) {}

    static UndoView of(UndoOutcome undo) {
        Map<String, Long> notReturned = new LinkedHashMap<>();
        new TreeMap<>(undo.notReturned()).forEach((reason, events) -> notReturned.put(reason.name(), events));
        return new UndoView(
                undo.events(),
                undo.bytes(),
                undo.streams(),
                undo.executions(),
                notReturned,
                undo.named().stream()
                        .map(left ->
                                new Left(left.stream(), left.id(), left.reason().name()))
                        .toList());
    }
}
