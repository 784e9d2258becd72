package dev.ebb.devstack.process;

import dev.ebb.stacks.DevStackException;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One service of the stack, in a separate process. All methods may be called from any thread; {@link #stop()} and
 * {@link #kill()} also end a waiting {@link #start()}. A service keeps its ports and its data over every restart.
 */
public abstract class StackProcess {
    public static final int PORT_ATTEMPTS = 5;

    private final Service service;
    private final StackContext context;
    private final PidFile pidFile;

    private @Nullable Process process;
    private volatile boolean wanted;
    private volatile boolean ready;
    private volatile long readyNanos;

    public StackProcess(Service service, StackContext context) {
        this.service = service;
        this.context = context;
        this.pidFile = PidFile.of(context.pidFolder(), service);
    }

    /**
     * Starts the process, and returns when it answers; does nothing if it already runs.
     *
     * @throws DevStackException if the process ends or does not answer in time; the message shows the end of its log
     */
    public final void start() {
        wanted = true;
        if (isRunning()) {
            return;
        }
        for (int attempt = 1; true; attempt++) {
            try {
                startOnce();
                return;
            } catch (PortLostException e) {
                if (attempt == PORT_ATTEMPTS || !takeOtherPorts()) {
                    throw e;
                }
                context.observer().portLost(service);
            }
        }
    }

    private void startOnce() {
        long begin = System.nanoTime();
        context.observer().starting(service);
        var child = launch();
        awaitReady(child);
        readyNanos = System.nanoTime();
        ready = true;
        context.observer().ready(service, address(), child.pid(), since(begin));
    }

    /** Asks the process to end, and waits for it up to a limit; then kills it. */
    public final void stop() {
        wanted = false;
        var child = release();
        if (child == null) {
            return;
        }
        long begin = System.nanoTime();
        context.observer().stopping(service);
        Signals.end(child, stopSignal(), stopLimit());
        forget();
        context.observer().stopped(service, since(begin));
    }

    /**
     * Ends the process and those that it started at once, like {@code kill -9}; the process does not restart by itself.
     */
    public final void kill() {
        wanted = false;
        var child = release();
        if (child != null) {
            Signals.kill(child);
            forget();
        }
    }

    /** Calls {@link #stop()} and {@link #start()}. */
    public final void restart() {
        stop();
        start();
    }

    public final synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Returns the pid of the process; empty if it does not run. */
    public final synchronized OptionalLong pid() {
        return process != null && process.isAlive() ? OptionalLong.of(process.pid()) : OptionalLong.empty();
    }

    /** Returns the file with the output of all runs of this service. */
    public final Path logFile() {
        return context.log(service).file();
    }

    /** Returns the address of the service, for people. */
    public abstract String address();

    /** Returns the ports of 127.0.0.1 that were chosen for the service. */
    public List<Integer> ports() {
        return List.of();
    }

    /** Returns true if the process has given up its lost ports and uses others from now on. */
    boolean takeOtherPorts() {
        return false;
    }

    /** Returns the command to run; called before each start, and the place to prepare whatever the process needs. */
    public abstract List<String> command() throws IOException, InterruptedException;

    /** Returns environment variables for the process; those of this program's environment take precedence. */
    Map<String, String> environment() {
        return Map.of();
    }

    /** Returns true if the process answers; an exception means not yet. */
    public abstract boolean isReady() throws IOException;

    String stopSignal() {
        return "TERM";
    }

    public Duration startLimit() {
        return Duration.ofSeconds(90);
    }

    public Duration stopLimit() {
        return Duration.ofSeconds(20);
    }

    /**
     * Called when the process has ended unasked.
     *
     * @param uptime the time since the process was ready
     */
    public void onDeath(Duration uptime) {}

    /**
     * Returns true if the process was started and has not been stopped or killed since; a process that died is still
     * wanted.
     */
    final boolean isWanted() {
        return wanted && !context.closed().get();
    }

    public final Service service() {
        return service;
    }

    public final StackContext context() {
        return context;
    }

    final Path folder() {
        return context.folder(service);
    }

    private synchronized Process launch() {
        if (context.closed().get()) {
            throw new DevStackException("the stack is closed");
        }
        try {
            var builder = new ProcessBuilder(Signals.shielded(command()))
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectErrorStream(true)
                    .redirectOutput(context.log(service).open());
            environment().forEach(builder.environment()::putIfAbsent);
            var child = builder.start();
            process = child;
            ready = false;
            pidFile.write(stopSignal(), child.toHandle());
            var unused = child.onExit().thenAccept(this::exited);
            return child;
        } catch (IOException e) {
            throw new DevStackException("cannot start " + service.label() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw Signals.interrupted(e);
        }
    }

    private void awaitReady(Process child) {
        DevStackException failure = new Startup(this, child).await();
        if (failure != null) {
            Signals.kill(child);
            release(child);
            forget();
            throw failure;
        }
    }

    private void exited(Process child) {
        if (ready && release(child)) {
            forget();
            context.observer().died(service, child.exitValue());
            onDeath(since(readyNanos));
        }
    }

    private synchronized @Nullable Process release() {
        var child = process;
        process = null;
        return child;
    }

    private synchronized boolean release(Process child) {
        boolean current = process == child;
        if (current) {
            process = null;
        }
        return current;
    }

    private void forget() {
        try {
            pidFile.delete();
        } catch (IOException e) {
            throw new DevStackException("cannot delete the pid file of " + service.label(), e);
        }
    }

    private static Duration since(long beginNanos) {
        return Duration.ofNanos(System.nanoTime() - beginNanos);
    }
}
