package dev.ebb.bench.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The threads with which RocksDB flushes and merges in this process, for all stores. They rest when no merge is
 * waiting. Only Linux reports their CPU time.
 */
public final class MergeThreads {

    private static final Path THREADS = Path.of("/proc/self/task");
    private static final String NAME = "rocksdb:";
    private static final Duration WINDOW = Duration.ofMillis(100);

    /** An application that has just restored its stores begins its work, and with it merges, within a second. */
    private static final int WINDOWS_OF_REST = 20;

    /** Index of user and system time in {@code stat}, after the name in brackets. */
    private static final int USER_TIME = 11;

    private final LongSupplier ticks;
    private final Duration window;

    public MergeThreads() {
        this(MergeThreads::ticksOfProcess, WINDOW);
    }

    /** @param ticks returns the CPU time of the threads so far, in any unit */
    MergeThreads(LongSupplier ticks, Duration window) {
        this.ticks = ticks;
        this.window = window;
    }

    /** Returns true if this machine reports the CPU time of the threads. */
    public static boolean isKnown() {
        return Files.isDirectory(THREADS);
    }

    /**
     * Waits until the threads have rested for two seconds.
     *
     * @param atWork called at once, and after each tenth of a second in which the threads have worked
     */
    public void awaitRest(Runnable atWork) throws InterruptedException {
        long before = ticks.getAsLong();
        atWork.run();
        for (int resting = 0; resting < WINDOWS_OF_REST; resting++) {
            TimeUnit.MILLISECONDS.sleep(window.toMillis());
            long now = ticks.getAsLong();
            if (now != before) {
                before = now;
                resting = -1;
                atWork.run();
            }
        }
    }

    private static long ticksOfProcess() {
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.mapToLong(MergeThreads::ticksOf).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long ticksOf(Path thread) {
        try {
            if (!Files.readString(thread.resolve("comm")).startsWith(NAME)) {
                return 0;
            }
            String stat = Files.readString(thread.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1]);
        } catch (IOException e) {
            // A thread that has just ended cannot be read.
            return 0;
        }
    }
}
