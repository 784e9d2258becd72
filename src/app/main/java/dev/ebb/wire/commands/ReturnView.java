package dev.ebb.wire.commands;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ebb.domain.undo.Notice;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.domain.undo.UndoOutcome.Extent;
import dev.ebb.wire.WireJson;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Events that an undo brings back, and those that it does not.
 *
 * @param extent how much of what is meant comes back: ALL, PART or NOTHING
 * @param events number of events that are back, or would come back
 * @param bytes their size as counted against {@code maxBytes}
 * @param streams number of their streams
 * @param executions number of executions that are back, or would come back
 * @param notReturned number of events that do not come back, by reason
 * @param named the first events that do not come back
 * @param streamNames some of the streams of the events that come back
 * @param noticeUntil time up to which no policy treats the streams of these events as due; null if nothing comes back
 * @param dueAfterNotice number of these events that the policies in force take after that, about
 * @param firstDueAt time after which the first of these events goes; null if none ever does
 */
public record ReturnView(
        String extent,
        long events,
        long bytes,
        long streams,
        long executions,
        Map<String, Long> notReturned,
        List<Left> named,
        List<String> streamNames,
        @Nullable Instant noticeUntil,
        long dueAfterNotice,
        @Nullable Instant firstDueAt) {

    /** An event that does not come back. */
    public record Left(String stream, String id, String reason) {}

    static ReturnView of(UndoOutcome undo) {
        Map<String, Long> notReturned = new LinkedHashMap<>();
        new TreeMap<>(undo.notReturned()).forEach((reason, events) -> notReturned.put(reason.name(), events));
        Notice notice = undo.notice();
        Long firstDueMs = notice == null ? null : notice.firstDueMs();
        return new ReturnView(
                undo.extent().name(),
                undo.events(),
                undo.bytes(),
                undo.streams(),
                undo.executions(),
                notReturned,
                undo.named().stream()
                        .map(left ->
                                new Left(left.stream(), left.id(), left.reason().name()))
                        .toList(),
                undo.streamNames(),
                notice == null ? null : Instant.ofEpochMilli(notice.untilMs()),
                notice == null ? 0 : notice.dueThen(),
                // An event may be due before, and goes after the notice all the same.
                notice == null || firstDueMs == null ? null : WireJson.time(Math.max(firstDueMs, notice.untilMs())));
    }

    /** Returns true if all that is meant comes back; commands end with exit code 1 otherwise. */
    @JsonIgnore
    public boolean isWhole() {
        return Extent.ALL.name().equals(extent);
    }
}
