package dev.ebb.runtime.writes;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.port.TooManyCommandsException;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.crowd.CommandCrowd;
import dev.ebb.topology.crowd.CrowdLimits;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Commands that this instance has sent and that have no result yet, counted against the limits: a command that waits on
 * its topic is work as well. Thread-safe.
 */
public final class SentCommands {

    /** Time after which a command no longer counts: its partition is away, and may be for long. */
    static final Duration LONGEST = Duration.ofHours(1);

    private final CommandCrowd crowd;
    private final Clock clock;
    private final Runnable refused;

    /** Times at which the commands were sent, epoch milliseconds, the first one first. */
    private final Map<String, Long> sent = new LinkedHashMap<>();

    /** @param refused called for each command that is turned away */
    public SentCommands(CrowdLimits limits, Clock clock, Runnable refused) {
        this.crowd = new CommandCrowd(limits, "this instance");
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
        int bytes = JsonState.write(request).getBytes(StandardCharsets.UTF_8).length;
        String problem = crowd.problem(request, caller, bytes);
        if (problem != null) {
            refused.run();
            throw new TooManyCommandsException(problem);
        }
        crowd.enter(request, caller, bytes);
        sent.put(request.commandId(), clock.millis());
    }

    /** Stops counting the command, which has a result or was not sent. */
    synchronized void leave(String commandId) {
        if (sent.remove(commandId) != null) {
            crowd.leave(commandId);
        }
    }

    private void forgetOld() {
        long beforeMs = clock.millis() - LONGEST.toMillis();
        Iterator<Map.Entry<String, Long>> entries = sent.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, Long> first = entries.next();
            if (first.getValue() >= beforeMs) {
                return;
            }
            crowd.leave(first.getKey());
            entries.remove();
        }
    }
}
