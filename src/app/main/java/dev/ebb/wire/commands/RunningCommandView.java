package dev.ebb.wire.commands;

import dev.ebb.port.RunningCommand;
import dev.ebb.wire.Meaning;
import java.time.Instant;
import java.util.Comparator;

/** A command that a partition has begun and not ended. */
public record RunningCommandView(
        @Meaning("The partition that leads the command.") int partition,
        String commandId,

        @Meaning("The kind of command.") String verb,

        @Meaning("The person who asks for it; empty if unknown.")
        String actor,

        @Meaning("True for a dry run, which deletes nothing.")
        boolean dryRun,

        @Meaning("When the command began.") Instant startedAt) {

    /** The command that runs longest comes first. */
    public static final Comparator<RunningCommandView> LONGEST_FIRST =
            Comparator.comparing(RunningCommandView::startedAt).thenComparing(RunningCommandView::commandId);

    public static RunningCommandView of(RunningCommand command) {
        return new RunningCommandView(
                command.partition(),
                command.commandId(),
                command.verb(),
                command.actor(),
                command.isDryRun(),
                command.startedAt());
    }
}
