package dev.ebb.domain.command;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A command as somebody sent it.
 *
 * @param commandId identifies it: sent twice it is carried out once; 1 to 255 characters
 * @param actor who asks for it; empty if unknown
 * @param reason why; empty if unknown
 * @param isDryRun whether it shall only say what it would do
 * @param maxDeletes it is refused if it would delete more events; null for no such bound
 * @param command what is asked for
 */
public record CommandRequest(
        String commandId,
        String actor,
        String reason,
        boolean isDryRun,
        @Nullable Long maxDeletes,
        Command command) {

    public CommandRequest {
        Objects.requireNonNull(commandId, "a command has an id");
        Objects.requireNonNull(actor, "a command has an actor, maybe an empty one");
        Objects.requireNonNull(reason, "a command has a reason, maybe an empty one");
        Objects.requireNonNull(command, "a command asks for something");
    }

    /**
     * Tells what is asked for from everything else, whoever asks and why: the same UUID for the same command.
     */
    public String fingerprint() {
        String asked = isDryRun + " " + maxDeletes + " " + command;
        return UUID.nameUUIDFromBytes(asked.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
