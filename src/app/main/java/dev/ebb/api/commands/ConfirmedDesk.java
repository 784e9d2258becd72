package dev.ebb.api.commands;

import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.port.CommandDesk;
import java.time.Duration;
import java.util.Optional;

/**
 * Desk that tells only what partitions confirm, and sends commands in the name of the caller.
 *
 * @param caller the caller against whose limit commands count; empty if callers have no tokens
 * @param asked the request of the caller, on whose behalf other instances are asked
 */
record ConfirmedDesk(CommandDesk desk, CommandConfirmation confirmation, String caller, PeerQuestion asked)
        implements CommandDesk {

    @Override
    public void submit(CommandRequest request) {
        submit(request, caller);
    }

    @Override
    public void submit(CommandRequest request, String ofCaller) {
        desk.submit(request, ofCaller);
    }

    @Override
    public Optional<CommandResult> find(String commandId) {
        return await(commandId, Duration.ZERO);
    }

    /** Goes on waiting after a report that no partition confirms. */
    @Override
    public Optional<CommandResult> await(String commandId, Duration wait) {
        long begin = System.nanoTime();
        Duration left = wait;
        while (true) {
            boolean isOver = left.isNegative() || left.isZero();
            Optional<Report> report = desk.report(commandId, isOver ? Duration.ZERO : left);
            Optional<CommandResult> confirmed = report.flatMap(found -> confirmation.confirmed(found, asked));
            boolean isDenied = report.filter(found -> found.result().isFinal()).isPresent()
                    && confirmed.filter(CommandResult::isFinal).isEmpty();
            if (isOver || !isDenied) {
                return confirmed;
            }
            left = wait.minusNanos(System.nanoTime() - begin);
        }
    }
}
