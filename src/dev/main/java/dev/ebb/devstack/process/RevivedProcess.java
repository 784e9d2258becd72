package dev.ebb.devstack.process;

import dev.ebb.stacks.DevStackException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A service that the stack can do without for a while, falling behind meanwhile. A service that ends unasked is started
 * again, at first after a second, then after growing delays. {@link #stop()} and {@link #kill()} end it for good.
 */
abstract class RevivedProcess extends StackProcess {

    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);
    private static final Duration STABLE_AFTER = Duration.ofMinutes(1);

    private volatile Duration delay = FIRST_DELAY;

    RevivedProcess(Service service, StackContext context) {
        super(service, context);
    }

    @Override
    public final void onDeath(Duration uptime) {
        delay = uptime.compareTo(STABLE_AFTER) > 0 ? FIRST_DELAY : delay;
        startLater();
    }

    private void startLater() {
        var now = delay;
        delay = now.multipliedBy(2).compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : now.multipliedBy(2);
        context().observer().restarting(service(), now);
        CompletableFuture.delayedExecutor(now.toMillis(), TimeUnit.MILLISECONDS).execute(this::startAgain);
    }

    private void startAgain() {
        if (!isWanted()) {
            return;
        }
        try {
            start();
        } catch (DevStackException e) {
            if (isWanted()) {
                context().observer().restartFailed(service(), String.valueOf(e.getMessage()));
                startLater();
            }
        }
    }
}
