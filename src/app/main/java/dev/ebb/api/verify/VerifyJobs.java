package dev.ebb.api.verify;

import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Comparisons of this instance: the running ones, and the last few that have ended. Thread-safe. */
final class VerifyJobs implements AutoCloseable {

    private static final int MOST_AT_ONCE = 2;
    private static final int MOST_KEPT = 4;

    private final Deque<VerifyJob> jobs = new ArrayDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "ebb-verify");
        thread.setDaemon(true);
        return thread;
    });

    /** Starts a comparison; refuses it while too many others run. */
    synchronized void start(VerifyJob job) {
        if (jobs.stream().filter(VerifyJob::isRunning).count() >= MOST_AT_ONCE) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    MOST_AT_ONCE + " comparisons are already running here; try again when one of them ends");
        }
        if (jobs.size() == MOST_KEPT) {
            jobs.stream().filter(kept -> !kept.isRunning()).findFirst().ifPresent(jobs::remove);
        }
        jobs.add(job);
        threads.execute(job);
    }

    /** Returns the comparison; empty if there is none, or if it has made room for later ones. */
    synchronized Optional<VerifyJob> find(String id) {
        return jobs.stream().filter(job -> job.id().equals(id)).findFirst();
    }

    /** Ends the running comparisons. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
