package dev.ebb.serde.text;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandValues.Fault;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A command as read from named values, or all its faults.
 *
 * @param request the command; empty if there is a fault
 * @param faults the faults, each once
 */
public record ParsedCommand(Optional<CommandRequest> request, List<Fault> faults) {

    public ParsedCommand {
        faults = List.copyOf(faults);
    }

    /** Returns all faults in one line. */
    public String detail() {
        return faults.stream().map(Fault::toString).collect(Collectors.joining("; "));
    }
}
