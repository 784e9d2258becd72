package dev.ebb.runtime.writes;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.port.TooManyCommandsException;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.crowd.CommandCrowd;
import dev.ebb.topology.crowd.CrowdLimits;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Commands that this instance has sent and that have no result yet, counted against the limits: a command that waits on
 * its topic is work as well. Thread-safe.
 */
public final class SentCommands {

    /** Time after which a command no longer counts: its partition is away, and may be for long. */
    static final Duration LONGEST = Duration.ofHours(1);

    private final CrowdLimits limits;
    private final ToIntFunction<CommandRequest> partition;
    private final CommandCrowd bulk;

    /**
     * Commands on single streams by the partition that carries them out: one that is away, or slow, does not block
     * the others.
     */
    private final Map<Integer, CommandCrowd> single = new HashMap<>();

    private final Clock clock;
    private final Runnable refused;

    /** Commands by id, the first one first. */
    private final Map<String, Sent> sent = new LinkedHashMap<>();

    /** @param atMs the time at which the command was sent, epoch milliseconds */
    private record Sent(CommandCrowd crowd, long atMs) {}

    /**
     * Begins without commands.
     *
     * @param partition returns the partition to which a command goes
     * @param refused called for each command that is turned away
     */
    public SentCommands(CrowdLimits limits, ToIntFunction<CommandRequest> partition, Clock clock, Runnable refused) {
        this.limits = limits;
        this.partition = partition;
        this.bulk = new CommandCrowd(limits, "this instance");
        this.clock = clock;
        this.refused = refused;
    }

    /**
     * Counts the command until it leaves.
     *
     * @param caller the caller; empty if callers have no tokens
     * @throws TooManyCommandsException if too many commands are unfinished
     */
    synchronized void enter(CommandRequest request, String caller) {
        forgetOld();
        CommandCrowd crowd = crowd(request);
        int bytes = JsonState.write(request).getBytes(StandardCharsets.UTF_8).length;
        String problem = crowd.problem(request, caller, bytes);
        if (problem != null) {
            refused.run();
            throw new TooManyCommandsException(problem);
        }
        crowd.enter(request, caller, bytes);
        sent.put(request.commandId(), new Sent(crowd, clock.millis()));
    }

    private CommandCrowd crowd(CommandRequest request) {
        return CommandCrowd.isBulk(request.command())
                ? bulk
                : single.computeIfAbsent(
                        partition.applyAsInt(request), number -> new CommandCrowd(limits, "partition " + number));
    }

    /** Stops counting the command, which has a result or was not sent. */
    synchronized void leave(String commandId) {
        Sent left = sent.remove(commandId);
        if (left != null) {
            left.crowd.leave(commandId);
        }
    }

    private void forgetOld() {
        long beforeMs = clock.millis() - LONGEST.toMillis();
        Iterator<Map.Entry<String, Sent>> entries = sent.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, Sent> first = entries.next();
            if (first.getValue().atMs >= beforeMs) {
                return;
            }
            first.getValue().crowd.leave(first.getKey());
            entries.remove();
        }
    }
}
