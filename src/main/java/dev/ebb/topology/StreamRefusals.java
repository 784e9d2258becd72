package dev.ebb.topology;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.StreamState;
import org.jspecify.annotations.Nullable;

/** What keeps a command from a stream: holds always, work in progress unless the command takes open streams. Stateless. */
final class StreamRefusals {

    private StreamRefusals() {}

    /** Why the command must leave the stream alone at this moment, its ancestors not considered; null if nothing says so. */
    static @Nullable Refusal of(StreamState stream, Command command, PolicySet policies) {
        if (policies.isHeld(stream.stream())) {
            return Refusal.HELD;
        }
        return stream.isOpen() && !takesOpen(command) ? Refusal.STREAM_OPEN : null;
    }

    /** The same for people. */
    static String explain(StreamState stream, Refusal refusal, PolicySet policies) {
        return refusal == Refusal.HELD
                ? "it is " + heldBy(stream.stream(), policies)
                : "it is still open: an execution is not terminal, or an event is protected";
    }

    /** Whether the command also asks whether an ancestor is open (M-6). */
    static boolean asksForAncestors(Command command) {
        return command instanceof Command.PurgeStreams
                || (command instanceof Command.DeleteStream delete && !delete.isForced());
    }

    /** Why a command that may delete only so many events must not begin. */
    static String tooMany(long events, long allowed) {
        return "it would delete " + events + (events == 1 ? " event, " : " events, ") + allowed + " allowed";
    }

    /** Names the cases of the holds that cover the stream. */
    static String heldBy(StreamName stream, PolicySet policies) {
        return "held by " + policies.holdsOn(stream).stream().map(Hold::caseId).toList();
    }

    private static boolean takesOpen(Command command) {
        return command instanceof Command.PruneStream
                || (command instanceof Command.DeleteStream delete && delete.isForced())
                || (command instanceof Command.PruneStreams prune && prune.includesOpen());
    }
}
