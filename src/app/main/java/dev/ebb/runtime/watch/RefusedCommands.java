package dev.ebb.runtime.watch;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.topology.observe.RetentionObserver;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The last refusals that partitions of this instance have sent and not saved. Thread-safe. Gone with the process: a
 * command that was refused this way can be sent again in any case.
 */
public final class RefusedCommands implements RetentionObserver {

    private static final int MOST = 10_000;

    private final Map<Key, CommandResult> refused = new LinkedHashMap<>();

    private record Key(int partition, String commandId) {}

    @Override
    public synchronized void commandRefused(int partition, CommandResult result) {
        refused.put(new Key(partition, result.commandId()), result);
        if (refused.size() > MOST) {
            refused.remove(refused.keySet().iterator().next());
        }
    }

    /** Returns the last refusal of the command by that partition; empty if none is remembered. */
    public synchronized Optional<CommandResult> find(int partition, String commandId) {
        return Optional.ofNullable(refused.get(new Key(partition, commandId)));
    }
}
