package dev.ebb.port;

import java.time.Instant;

/**
 * A command that a partition has begun and not ended.
 *
 * @param partition the partition that leads the command
 * @param verb the kind of command
 * @param actor the person who asks for it; empty if unknown
 * @param isDryRun true for a dry run, which deletes nothing
 */
public record RunningCommand(
        int partition, String commandId, String verb, String actor, boolean isDryRun, Instant startedAt) {}
