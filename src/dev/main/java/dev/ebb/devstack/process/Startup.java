package dev.ebb.devstack.process;

import dev.ebb.stacks.DevStackException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Waits until a service that was just started answers, and explains why if it does not. */
final class Startup {
    private static final int TAIL_LINES = 25;
    private static final long POLL_MS = 50;

    private final StackProcess service;
    private final Process child;

    Startup(StackProcess service, Process child) {
        this.service = service;
        this.child = child;
    }

    /** Returns null once the service answers, or else the reason why it never will. */
    @Nullable
    DevStackException await() {
        long end = System.nanoTime() + service.startLimit().toNanos();
        while (!answers() || listensElsewhere()) {
            if (!child.isAlive()) {
                return service.isWanted() ? ended(child.exitValue()) : stoppedEarly();
            }
            if (System.nanoTime() > end) {
                return failed("did not answer within " + service.startLimit().toSeconds() + " s");
            }
            pause();
        }
        return null;
    }

    private boolean answers() {
        try {
            return service.isReady();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns true if another process listens on the port of the service. */
    private boolean listensElsewhere() {
        return service.ports().stream().anyMatch(port -> PortOwner.isAnothers(port, child.toHandle()));
    }

    private DevStackException stoppedEarly() {
        return new DevStackException(label() + " was stopped before it was ready");
    }

    private DevStackException ended(int exitCode) {
        var reason = "ended with exit code " + exitCode;
        var lost = service.ports().stream().filter(port -> !Ports.isFree(port)).findFirst();
        return lost.isPresent()
                ? new PortLostException(
                        service.service(),
                        message(reason + " and port " + lost.get() + " is taken by " + PortOwner.of(lost.get())))
                : failed(reason);
    }

    private DevStackException failed(String reason) {
        return new DevStackException(message(reason));
    }

    private String message(String reason) {
        String tail = service.context().log(service.service()).tail(TAIL_LINES);
        return "%s %s; the end of %s:%n%s".formatted(label(), reason, service.logFile(), tail);
    }

    private String label() {
        return service.service().label();
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MS);
        } catch (InterruptedException e) {
            throw Signals.interrupted(e);
        }
    }
}
