package dev.ebb.simulation;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.Outcomes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How streams stand of which something has come back (T-2, T-3, T-16), and what undos say of it. Not thread-safe. */
final class ReturnedLaw {

    private final List<Since> atWork = new ArrayList<>();

    /** An execution that is back has been at work for so long. */
    private record Since(String stream, long number, long ms) {}

    /** A step begins. */
    void begin() {
        atWork.clear();
    }

    /** Work has come back in this step that began at that time. */
    void atWork(String stream, long number, long sinceMs) {
        atWork.add(new Since(stream, number, sinceMs));
    }

    /** Holds a stream against the model in what an undo changes. */
    void compare(StreamState state, RetentionModelStream stream, List<StoredEvent> events) {
        if (state.noticeUntilMs() != stream.noticeUntil) {
            throw new Violation(
                    "T-3 under notice",
                    stream.name + " until " + (state.noticeUntilMs() - World.T0) + ", must be until "
                            + (stream.noticeUntil - World.T0));
        }
        if (stream.noticeUntil >= 0) {
            compareOrder(stream, events);
        }
        for (Since since : atWork) {
            Segment segment = since.stream().equals(stream.name) ? state.segment(since.number()) : null;
            if (segment != null && !segment.execution().isTerminal() && segment.openSinceMs() > since.ms()) {
                throw new Violation(
                        "T-16 at work since", since + " is back, and at work since " + segment.openSinceMs());
            }
        }
    }

    /** What is back has its place in the order of arrival, whichever life of the name it is of. */
    private static void compareOrder(RetentionModelStream stream, List<StoredEvent> events) {
        List<String> found = events.stream()
                .sorted(Comparator.comparingLong(StoredEvent::seq))
                .map(stored -> stored.event().id().value())
                .toList();
        List<String> expected = stream.events.values().stream()
                .sorted(Comparator.comparingLong(kept -> kept.seq))
                .map(kept -> kept.id)
                .toList();
        if (!found.equals(expected)) {
            throw new Violation("T-2 in the order of arrival", stream.name + " has " + found + ", must " + expected);
        }
    }

    /** The result of an undo says how many events the audit names as back. */
    static void checkResults(World world) {
        Map<String, Long> restored = new HashMap<>();
        for (Message message : world.broker.log(world.topics.audit(), 0)) {
            if (world.codec.object(message.value()) instanceof AuditRecord audit
                    && audit.action().equals(AuditRecord.RESTORE)) {
                restored.merge(audit.commandId(), (long) audit.eventIds().size(), Long::sum);
            }
        }
        for (int partition = 0; partition < world.topics.partitions(); partition++) {
            for (Message message : world.broker.log(world.topics.results(), partition)) {
                CommandResult result = (CommandResult) world.codec.object(message.value());
                CommandRequest request = world.commands.get(result.commandId());
                Outcome.Undone undone = Outcomes.undone(result);
                boolean isUndo = request != null && request.command() instanceof Command.UndoDeletes;
                long found = restored.getOrDefault(result.commandId(), 0L);
                if (isUndo
                        && result.state() == CommandResult.State.DONE
                        && undone != null
                        && (request.isDryRun() ? found != 0 : undone.events() != found)) {
                    throw new Violation("T-2 the result counts what is back", result + ", the audit says " + found);
                }
            }
        }
    }
}
