package dev.ebb.devstack.process;

import java.time.Duration;
import java.util.function.Consumer;

/** Hears what happens to the processes of a {@code DevStack}; called from several threads. */
public interface StackObserver {
    /** Hears everything and does nothing. */
    StackObserver SILENT = new StackObserver() {};

    /** One line of text for each thing that happens. */
    static StackObserver lines(Consumer<String> out) {
        return new ProgressLines(out);
    }

    default void starting(Service service) {}

    default void ready(Service service, String address, long pid, Duration took) {}

    /** {@code owner} names the process that has the usual port, as far as it can be known. */
    default void portTaken(Service service, int usual, String owner, int instead) {}

    /** Another process took the port before the service listened on it; it is started on another one. */
    default void portLost(Service service) {}

    default void stopping(Service service) {}

    default void stopped(Service service, Duration took) {}

    /** The process ended without being asked to. */
    default void died(Service service, int exitCode) {}

    /** A process that died is started again after {@code delay}. */
    default void restarting(Service service, Duration delay) {}

    /** A restart after a death did not succeed; another one follows. */
    default void restartFailed(Service service, String reason) {}

    /** A process of an earlier stack, which was killed, still ran and is being stopped. */
    default void leftover(String service, long pid) {}
}
