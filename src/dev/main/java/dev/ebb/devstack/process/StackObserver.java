package dev.ebb.devstack.process;

import java.time.Duration;
import java.util.function.Consumer;

/** Observer of the processes of a {@code DevStack}; called from several threads. */
public interface StackObserver {
    /** An observer that does nothing. */
    StackObserver SILENT = new StackObserver() {};

    /** Returns an observer that prints one line of text for each event. */
    static StackObserver lines(Consumer<String> out) {
        return new ProgressLines(out);
    }

    default void starting(Service service) {}

    default void ready(Service service, String address, long pid, Duration took) {}

    /** Called when another process has the default port; {@code owner} names that process, as far as it is known. */
    default void portTaken(Service service, int usual, String owner, int instead) {}

    /**
     * Called when another process took the port before the service listened on it; the service starts on another port.
     */
    default void portLost(Service service) {}

    default void stopping(Service service) {}

    default void stopped(Service service, Duration took) {}

    /** Called when the process ended without being asked to. */
    default void died(Service service, int exitCode) {}

    /** Called when a process that died will start again after {@code delay}. */
    default void restarting(Service service, Duration delay) {}

    /** Called when a restart after a death did not succeed; another one follows. */
    default void restartFailed(Service service, String reason) {}

    /** Called when a process of an earlier, killed stack still ran; it is being stopped. */
    default void leftover(String service, long pid) {}
}
