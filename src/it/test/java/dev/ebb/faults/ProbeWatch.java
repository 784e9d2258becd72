package dev.ebb.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks live and ready of all instances again and again, as a supervisor would, until it is closed. Live must be green at
 * all times, and none may be without ready for long.
 */
final class ProbeWatch implements AutoCloseable {

    private static final String LIVE = "/health/live";
    private static final String READY = "/health/ready";
    private static final String GREEN = "200";

    /** Partitions move if a thread comes too late on a busy machine; no instance may stay away from its work. */
    private static final Duration LONGEST_NOT_READY = Duration.ofSeconds(10);

    private static final long PAUSE_NANOS = 500_000_000;

    private final List<Instance> instances;
    private final Set<String> red = Collections.synchronizedSet(new TreeSet<>());
    private final Thread thread = new Thread(this::run, "fault-probes");
    private final Map<Instance, Long> notReadySince = new HashMap<>();
    private volatile long longestNotReadyNanos;
    private volatile boolean isClosed;
    private volatile int asked;
    private volatile long slowestNanos;

    ProbeWatch(List<Instance> instances) {
        this.instances = instances;
        thread.setDaemon(true);
        thread.start();
    }

    /** Fails if live was anything but 200, or did not come, or if ready was so for too long. */
    void check(FaultRun run) {
        long notReadyMs = longestNotReadyNanos / 1_000_000;
        run.remark(asked + " probes, the slowest answered after " + slowestNanos / 1_000_000 + " ms, not ready for "
                + notReadyMs + " ms at the most");
        if (!red.isEmpty()) {
            throw new AssertionError("probes that were not green: " + red);
        }
        if (notReadyMs > LONGEST_NOT_READY.toMillis()) {
            throw new AssertionError("an instance was not ready for " + notReadyMs + " ms");
        }
    }

    @Override
    public void close() throws InterruptedException {
        isClosed = true;
        thread.join();
    }

    private void run() {
        while (!isClosed) {
            for (Instance instance : instances) {
                String live = ask(instance, LIVE);
                if (!live.equals(GREEN)) {
                    red.add(instance + " " + live);
                }
                note(instance, ask(instance, READY).equals(GREEN));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void note(Instance instance, boolean isReady) {
        long now = System.nanoTime();
        if (isReady) {
            notReadySince.remove(instance);
        } else {
            long since = notReadySince.computeIfAbsent(instance, first -> now);
            longestNotReadyNanos = Math.max(longestNotReadyNanos, now - since);
        }
    }

    private String ask(Instance instance, String probe) {
        long begin = System.nanoTime();
        String answer;
        try {
            answer = Integer.toString(Rest.get(instance.url(), probe).status());
        } catch (IOException e) {
            answer = e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer = "interrupted";
        }
        asked++;
        slowestNanos = Math.max(slowestNanos, System.nanoTime() - begin);
        return answer;
    }
}
