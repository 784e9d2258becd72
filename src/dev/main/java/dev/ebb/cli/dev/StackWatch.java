package dev.ebb.cli.dev;

import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.StackObserver;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Reports events of the processes of a stack on the error stream, and remembers the running processes. */
final class StackWatch implements StackObserver {

    private final Terminal terminal;
    private final Map<Service, Long> pids = Collections.synchronizedMap(new EnumMap<>(Service.class));

    StackWatch(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Returns the process of each service that is ready. */
    Map<Service, Long> pids() {
        return Map.copyOf(pids);
    }

    @Override
    public void ready(Service service, String address, long pid, Duration took) {
        pids.put(service, pid);
        say(Style.GREEN, service.label(), "ready on " + address + " after " + seconds(took));
    }

    @Override
    public void portTaken(Service service, int usual, String owner, int instead) {
        say(Style.YELLOW, service.label(), "port " + usual + " is taken by " + owner + ", using " + instead);
    }

    @Override
    public void portLost(Service service) {
        say(Style.YELLOW, service.label(), "another process took its port meanwhile, starting on another one");
    }

    @Override
    public void stopping(Service service) {
        say(Style.DIM, service.label(), "stopping");
    }

    @Override
    public void died(Service service, int exitCode) {
        say(Style.RED, service.label(), "ended with exit code " + exitCode + " without having been stopped");
    }

    @Override
    public void restarting(Service service, Duration delay) {
        say(Style.YELLOW, service.label(), "is started again in " + seconds(delay));
    }

    @Override
    public void restartFailed(Service service, String reason) {
        say(Style.RED, service.label(), "did not start: " + reason);
    }

    @Override
    public void leftover(String service, long pid) {
        say(Style.YELLOW, service, "stopping process " + pid + ", left over from a stack that was killed");
    }

    private void say(Style style, String service, String what) {
        terminal.err().println(terminal.styled(style, String.format(Locale.ROOT, "%-9s", service)) + " " + what);
        terminal.err().flush();
    }

    private static String seconds(Duration took) {
        return String.format(Locale.ROOT, "%.1f s", took.toMillis() / 1000.0);
    }
}
