package dev.ebb.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.domain.event.Event;
import dev.ebb.faults.Rest.Answer;
import dev.ebb.it.Await;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads living events again and again, from all instances, until it is closed: each answer must be the event, or a 503
 * that says when to ask again. An instance that is not there at all gives no answer, which is no fault.
 */
final class LivingReads implements AutoCloseable {

    private static final int SAMPLE = 200;
    private static final long PAUSE_NANOS = 20_000_000;

    private final FaultStack stack;
    private final List<String> paths;
    private final Set<String> wrong = Collections.synchronizedSet(new TreeSet<>());
    private final Thread thread = new Thread(this::run, "fault-reads");
    private volatile boolean isClosed;
    private volatile int found;
    private volatile int deferred;

    private LivingReads(FaultStack stack, List<String> paths) {
        this.stack = stack;
        this.paths = paths;
    }

    /**
     * Begins when every one of these events has been read once, and is committed: readers see an event before its commit,
     * and a kill in between takes it back until its record comes in again.
     */
    static LivingReads of(FaultStack stack, List<Event> living) throws InterruptedException, ExecutionException {
        List<Event> sample = new ArrayList<>(living);
        List<String> paths = sample.subList(Math.max(0, sample.size() - SAMPLE), sample.size()).stream()
                .map(event -> "/v1/streams/" + encoded(event.stream().value()) + "/events/"
                        + encoded(event.id().value()))
                .toList();
        for (String path : paths) {
            Await.until(path + " is stored", () -> {
                int status = Rest.get(stack.any().url(), path).status();
                return status == 200 ? "" : "status " + status;
            });
        }
        Quiescence.awaitCommitted(stack);
        LivingReads reads = new LivingReads(stack, paths);
        reads.thread.setDaemon(true);
        reads.thread.start();
        return reads;
    }

    /** Fails if one answer was wrong. */
    void check(FaultRun run) {
        if (!wrong.isEmpty()) {
            throw new AssertionError("wrong answers for living events: " + wrong);
        }
        run.remark(found + " reads answered, " + deferred + " put off by 503");
    }

    @Override
    public void close() throws InterruptedException {
        isClosed = true;
        thread.join();
    }

    private void run() {
        for (int i = 0; !isClosed; i++) {
            List<Instance> instances = stack.instances();
            read(instances.get(i % instances.size()), paths.get(i / instances.size() % paths.size()));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void read(Instance instance, String path) {
        try {
            Answer answer = Rest.get(instance.url(), path);
            if (answer.status() == 200) {
                found++;
            } else if (answer.status() == 503 && answer.retryAfter().isPresent()) {
                deferred++;
            } else {
                wrong.add(instance + " " + path + ": " + answer);
            }
        } catch (IOException e) {
            // Not there, or in the middle of its end.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, UTF_8).replace("+", "%20");
    }
}
