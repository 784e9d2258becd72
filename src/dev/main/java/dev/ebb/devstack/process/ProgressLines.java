package dev.ebb.devstack.process;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/** Reports events of the processes, each in one line of plain text. */
final class ProgressLines implements StackObserver {
    private final Consumer<String> out;

    ProgressLines(Consumer<String> out) {
        this.out = out;
    }

    @Override
    public void starting(Service service) {
        out.accept("starting " + service.label());
    }

    @Override
    public void ready(Service service, String address, long pid, Duration took) {
        out.accept("%s ready on %s (pid %d, %s)".formatted(service.label(), address, pid, seconds(took)));
    }

    @Override
    public void portTaken(Service service, int usual, String owner, int instead) {
        out.accept("port %d of %s is taken by %s; using %d".formatted(usual, service.label(), owner, instead));
    }

    @Override
    public void portLost(Service service) {
        out.accept("port of " + service.label() + " was taken meanwhile, trying another");
    }

    @Override
    public void stopping(Service service) {
        out.accept("stopping " + service.label());
    }

    @Override
    public void stopped(Service service, Duration took) {
        out.accept("%s stopped (%s)".formatted(service.label(), seconds(took)));
    }

    @Override
    public void died(Service service, int exitCode) {
        out.accept("%s ended with exit code %d".formatted(service.label(), exitCode));
    }

    @Override
    public void restarting(Service service, Duration delay) {
        out.accept("starting %s again in %s".formatted(service.label(), seconds(delay)));
    }

    @Override
    public void restartFailed(Service service, String reason) {
        out.accept("%s did not start: %s".formatted(service.label(), reason));
    }

    @Override
    public void leftover(String service, long pid) {
        out.accept("stopping %s (pid %d), left over from a stack that was killed".formatted(service, pid));
    }

    private static String seconds(Duration took) {
        return String.format(Locale.ROOT, "%.1f s", took.toMillis() / 1000.0);
    }
}
