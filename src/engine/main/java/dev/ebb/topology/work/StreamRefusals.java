package dev.ebb.topology.work;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reasons why a command leaves a stream alone: a hold always, open work unless it takes open streams. Stateless. */
public final class StreamRefusals {

    /** Largest number of open executions that are named. */
    private static final int NAMED = 3;

    private StreamRefusals() {}

    /** Returns the reason why the command must leave the stream alone now, apart from ancestors; null if none. */
    public static @Nullable Refusal of(StreamState stream, Command command, CommandContext context) {
        if (context.policies().get().isHeld(stream.stream())) {
            return Refusal.HELD;
        }
        if (asksForRecords(command) && isSetAside(stream, context)) {
            return Refusal.NOT_READY;
        }
        return stream.isOpen() && !takesOpen(command) ? Refusal.STREAM_OPEN : null;
    }

    private static boolean isSetAside(StreamState stream, CommandContext context) {
        return stream.quarantine() != null || context.store().parked().holdsStream(stream.stream());
    }

    /**
     * Returns true if a recount comes first, or a move to other terminal statuses: before its end it is not certain
     * whether the stream is open.
     */
    public static boolean isUncertain(StreamState stream) {
        return (stream.isSuspect() || stream.isBeingSorted()) && stream.quarantine() == null;
    }

    /** Explains the refusal for people. */
    public static String explain(StreamState stream, Refusal refusal, PolicySet policies) {
        return switch (refusal) {
            case HELD -> "it is " + heldBy(stream.stream(), policies);
            case NOT_READY -> notReady(stream);
            default -> "it is still open: " + open(stream);
        };
    }

    /** Describes the open work of the stream, as far as its usage shows it. */
    private static String open(StreamState stream) {
        List<String> parts = new ArrayList<>();
        long executions = stream.openExecutions();
        if (executions > 0) {
            List<Execution> named = stream.firstOpen(NAMED);
            String names = named.stream().map(StreamRefusals::named).collect(Collectors.joining(", "));
            long others = executions - named.size();
            parts.add((executions == 1 ? "execution " : "executions ") + names
                    + (others > 0 ? " and " + others + " more" : "") + (executions == 1 ? " is" : " are")
                    + " not terminal");
        }
        long events = stream.openEvents();
        if (events > 0) {
            parts.add(events + (events == 1 ? " event is" : " events are") + " of a protected status");
        }
        return String.join("; ", parts);
    }

    private static String named(Execution execution) {
        String status = execution.status();
        return execution.number() + (status == null || status.isEmpty() ? "" : " (" + status + ")");
    }

    private static String notReady(StreamState stream) {
        Quarantine quarantine = stream.quarantine();
        if (quarantine != null) {
            return "it is quarantined (" + quarantine.reason() + "); 'ebb stream repair' checks it again";
        }
        return "some of its records cannot be taken in yet and may protect an event; see 'ebb status' for the reason";
    }

    /**
     * Returns true if waiting records of the stream refuse the command. A command on one stream waits behind them
     * anyway, a command on many streams comes in another order; and a stream that lives on must be in order to lose a
     * part of itself.
     */
    private static boolean asksForRecords(Command command) {
        return command instanceof Command.OfStreams || command instanceof Command.PruneStream;
    }

    /** Returns true if the command also asks whether an ancestor is open (M-6). */
    public static boolean asksForAncestors(Command command) {
        return command instanceof Command.PurgeStreams
                || (command instanceof Command.DeleteStream delete && !delete.isForced());
    }

    /** Explains why a command with a limit on its deletes must not begin. */
    public static String tooMany(long events, long allowed) {
        return "it would delete " + events + (events == 1 ? " event, " : " events, ") + allowed + " allowed";
    }

    /** Names the cases of the holds that cover the stream. */
    public static String heldBy(StreamName stream, PolicySet policies) {
        return "held by " + policies.holdsOn(stream).stream().map(Hold::caseId).toList();
    }

    private static boolean takesOpen(Command command) {
        return command instanceof Command.PruneStream
                || (command instanceof Command.DeleteStream delete && delete.isForced())
                || (command instanceof Command.PruneStreams prune && prune.includesOpen());
    }
}
