package dev.ebb.domain.command;

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
        Command command) {}
