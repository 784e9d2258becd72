package dev.ebb.faults;

import dev.ebb.faults.Rest.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the anchor of each partition once a second through each instance, until it is closed. A read through an instance
 * that is not there, or frozen, is none: its callers go to another one.
 */
final class AnchorReads implements AutoCloseable {

    private static final long EACH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Anchors anchors;
    private final List<Thread> threads = new ArrayList<>();
    private final List<Read> reads = new CopyOnWriteArrayList<>();
    private volatile boolean isClosed;

    AnchorReads(Anchors anchors) {
        this.anchors = anchors;
    }

    /**
     * One read.
     *
     * @param failure empty if the event was answered
     * @param isWrong true if the answer was neither the event nor a request to come back
     */
    record Read(int partition, String via, long beginNanos, long endNanos, String failure, boolean isWrong) {

        boolean isGood() {
            return failure.isEmpty();
        }

        long millis() {
            return TimeUnit.NANOSECONDS.toMillis(endNanos - beginNanos);
        }
    }

    /** Reads through one more instance. */
    void through(Instance instance) {
        anchors.streams().keySet().forEach(partition -> {
            Thread thread = new Thread(() -> run(instance, partition), "reads-" + instance + "-" + partition);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        });
    }

    /** The reads that began in that time and have ended. */
    List<Read> between(long fromNanos, long toNanos) {
        return reads.stream()
                .filter(read -> read.beginNanos() - fromNanos >= 0 && read.beginNanos() - toNanos < 0)
                .toList();
    }

    private void run(Instance instance, int partition) {
        long next = System.nanoTime();
        while (!isClosed) {
            if (instance.answersCallers()) {
                read(instance, partition);
            }
            next = Math.max(next + EACH_NANOS, System.nanoTime() - EACH_NANOS);
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    private void read(Instance instance, int partition) {
        long begin = System.nanoTime();
        String failure = "";
        boolean isWrong = false;
        try {
            Answer answer = Rest.get(instance.url(), anchors.path(partition));
            boolean isAnchor = answer.status() == 200
                    && answer.body().path("payload").toString().equals(Anchors.payload(partition));
            isWrong = !isAnchor && answer.status() != 503;
            failure = isAnchor
                    ? ""
                    : answer.status() + " " + answer.body().path("detail").asText();
        } catch (IOException e) {
            failure = e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        // What fails because its instance goes in this moment would be asked of another one.
        if (failure.isEmpty() || instance.answersCallers()) {
            reads.add(new Read(partition, instance.name(), begin, System.nanoTime(), failure, isWrong));
        }
    }

    @Override
    public void close() throws InterruptedException {
        isClosed = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
