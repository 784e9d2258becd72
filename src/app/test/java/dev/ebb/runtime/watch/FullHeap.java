package dev.ebb.runtime.watch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process of its own that fills its heap, says what the watch finds, and makes room again. */
final class FullHeap {

    private static final int BLOCK = 8 << 10;

    /** More blocks than fit: the list must not grow when there is no room. */
    private static final int MOST = 100_000;

    /** Blocks in the place of which the watch does its work. */
    private static final int LOOK = 64;

    private FullHeap() {}

    public static void main(String[] args) {
        long[] nanos = {0};
        HeapWatch heap = HeapWatch.ofProcess();
        HeapWatch watch = new HeapWatch(heap::share, () -> nanos[0]);
        List<byte[]> kept = new ArrayList<>(MOST);
        fill(heap, kept);
        System.gc();
        watch.problem();
        nanos[0] = Duration.ofSeconds(61).toNanos();
        String full = watch.problem();
        kept.clear();
        System.gc();
        System.out.println((full != null) + " " + (watch.problem() == null));
    }

    private static void fill(HeapWatch heap, List<byte[]> kept) {
        try {
            while (heap.share() <= HeapWatch.FULL + 0.005) {
                kept.add(new byte[BLOCK]);
                if (kept.size() % LOOK == 0) {
                    System.gc();
                }
            }
        } catch (OutOfMemoryError e) {
            // As full as it gets, but for what it takes to look.
            kept.subList(kept.size() - LOOK, kept.size()).clear();
        }
    }
}
