package dev.ebb.serde.text;

import dev.ebb.domain.command.CommandRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A command that was read, or all its faults.
 *
 * @param request empty if there is a fault
 * @param faults the faults, each once
 */
public record ParsedCommand(Optional<CommandRequest> request, List<Fault> faults) {

    public ParsedCommand {
        faults = List.copyOf(faults);
    }

    /**
     * One fault.
     *
     * @param field the field of the record of commands
     * @param message the fault, as the end of a sentence that begins with the field
     */
    public record Fault(String field, String message) {

        @Override
        public String toString() {
            return field + " " + message;
        }
    }

    /** All faults in one line. */
    public String detail() {
        return faults.stream().map(Fault::toString).collect(Collectors.joining("; "));
    }
}
