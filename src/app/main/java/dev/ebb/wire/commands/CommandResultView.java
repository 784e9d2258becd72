package dev.ebb.wire.commands;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandProgress;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.wire.WireJson;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a command; its fields are named like those of its record.
 *
 * @param rest sums of the parts that are not listed; left out if there are none
 * @param plan the plan that the command made or carried out; left out if there is none
 * @param undo the events that an undo brings back; left out for other commands
 * @param prepared the steps taken before an undo in the same act; left out if there were none
 * @param progress progress of a running command; left out if it does not run, or does not know its progress
 * @param completedAt time of its end; null while it is running
 * @param durationMs time from its beginning to this report, in milliseconds
 */
public record CommandResultView(
        String commandId,
        String verb,
        String state,
        @Nullable String refusal,
        String detail,
        boolean dryRun,
        long streamsProcessed,
        long streamsDeleted,
        long executionsDeleted,
        long eventsDeleted,
        long protectedEventsDeleted,
        long bytesDeleted,
        Map<String, Long> streamsSkipped,
        long rowsSent,
        long rowsRemoved,
        long recordsDropped,
        long wouldDelete,
        long wouldDeleteBytes,
        List<Part> parts,
        long partsLeftOut,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Rest> rest,
        @Nullable Instant sweepPoint,
        @Nullable Long policyVersion,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PlanView plan,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ReturnView undo,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PreparedView prepared,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Progress progress,
        Instant startedAt,
        Instant updatedAt,
        @Nullable Instant completedAt,
        long durationMs) {

    /** Deletes from one stream for one cause. */
    public record Part(String stream, String cause, long events, long bytes) {}

    /** Deletes from one namespace for one cause that no part contains. */
    public record Rest(String namespace, String cause, long events, long bytes) {}

    /**
     * Progress through the items that a command handles one by one: for an erasure, these are events.
     *
     * @param done number of items that are done
     * @param total number of all items, as far as is known
     */
    public record Progress(long done, long total) {

        static @Nullable Progress of(@Nullable CommandProgress progress) {
            return progress == null ? null : new Progress(progress.done(), progress.total());
        }
    }

    public static CommandResultView of(CommandResult result) {
        return of(result, null);
    }

    /** @param prepared the steps taken before an undo in the same act; null if there were none */
    public static CommandResultView of(CommandResult result, @Nullable PreparedView prepared) {
        CommandCounts counts = result.counts();
        Refusal refusal = result.refusal();
        PlanOutcome plan = result.plan();
        UndoOutcome undo = result.undo();
        Instant updated = Instant.ofEpochMilli(result.updatedMs());
        return new CommandResultView(
                result.commandId(),
                result.verb(),
                result.state().name(),
                refusal == null ? null : refusal.name(),
                result.detail(),
                result.isDryRun(),
                counts.streamsProcessed(),
                counts.streamsDeleted(),
                counts.executionsDeleted(),
                counts.eventsDeleted(),
                counts.protectedEventsDeleted(),
                counts.bytesDeleted(),
                skipped(counts),
                counts.rowsSent(),
                counts.rowsRemoved(),
                counts.recordsDropped(),
                result.wouldDelete(),
                result.wouldDeleteBytes(),
                result.parts().stream().map(CommandResultView::part).toList(),
                result.partsLeftOut(),
                result.rest().stream().map(CommandResultView::rest).toList(),
                WireJson.time(result.sweepPointMs()),
                result.policyVersion(),
                plan == null ? null : PlanView.of(plan),
                undo == null ? null : ReturnView.of(undo),
                prepared,
                Progress.of(result.progress()),
                Instant.ofEpochMilli(result.startedMs()),
                updated,
                result.isFinal() ? updated : null,
                Math.max(0, result.updatedMs() - result.startedMs()));
    }

    private static Map<String, Long> skipped(CommandCounts counts) {
        Map<String, Long> skipped = new LinkedHashMap<>();
        new TreeMap<>(counts.streamsSkipped()).forEach((reason, streams) -> skipped.put(reason.name(), streams));
        return skipped;
    }

    private static Part part(CommandResult.Part part) {
        return new Part(part.stream(), part.cause().name(), part.events(), part.bytes());
    }

    private static Rest rest(CommandResult.Rest rest) {
        return new Rest(rest.namespace(), rest.cause().name(), rest.events(), rest.bytes());
    }

    /** Returns true if the command is an undo that is done and found nothing to bring back. */
    public boolean foundNothingToUndo() {
        return state.equals("DONE")
                && undo != null
                && UndoOutcome.Extent.NOTHING.name().equals(undo.extent())
                && undo.notReturned().isEmpty();
    }

    /**
     * Returns true if the command is done, has deleted and dropped nothing, and as a dry run has found nothing to
     * delete.
     */
    public boolean leftEverything() {
        return state.equals("DONE")
                && streamsDeleted == 0
                && executionsDeleted == 0
                && eventsDeleted == 0
                && wouldDelete == 0
                && recordsDropped == 0
                // The plan of an erasure includes copies of events that were deleted earlier; no count includes them.
                && (plan == null || plan.events() == 0);
    }
}
