package dev.ebb.api.access;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file, or several that belong together, that may change while the program runs. A caller that needs the content has
 * the file checked for changes first, at most once a second and by one caller at a time; other callers do not wait, and
 * use the last known content. Content that cannot be used changes nothing, and is logged once. Thread-safe.
 */
public final class FollowedFile {

    private static final Logger LOG = LoggerFactory.getLogger(FollowedFile.class);
    private static final long LOOK_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

    private final String name;
    private final Supplier<byte[]> content;
    private final Consumer<byte[]> use;
    private final LongSupplier nanoTime;
    private final ReentrantLock looking = new ReentrantLock();
    private byte[] used;
    private String problem = "";
    private volatile long lookedNanos;

    /**
     * @param name the name of the file in the log
     * @param content reads the whole content; throws {@link UnusableFileException} if it cannot
     * @param use takes changed content into use and logs the change; throws {@link UnusableFileException} if the
     *     content cannot be used, and must then leave the former content in use
     * @param nanoTime a clock that never goes back, in nanoseconds
     * @param used the content that is in use already
     */
    public FollowedFile(
            String name, Supplier<byte[]> content, Consumer<byte[]> use, LongSupplier nanoTime, byte[] used) {
        this.name = name;
        this.content = content;
        this.use = use;
        this.nanoTime = nanoTime;
        this.used = used.clone();
        this.lookedNanos = nanoTime.getAsLong();
    }

    /** Checks the file for changes, unless another caller is doing so or a check began within the last second. */
    public void lookAgain() {
        if (nanoTime.getAsLong() - lookedNanos < LOOK_EVERY_NANOS || !looking.tryLock()) {
            return;
        }
        try {
            lookedNanos = nanoTime.getAsLong();
            look();
        } finally {
            looking.unlock();
        }
    }

    private void look() {
        try {
            byte[] now = content.get();
            if (!Arrays.equals(now, used)) {
                use.accept(now);
                used = now;
            } else if (!problem.isEmpty()) {
                LOG.info("the {} is good again", name);
            }
            problem = "";
        } catch (UnusableFileException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void complain(String now) {
        if (!now.equals(problem)) {
            problem = now;
            LOG.error("{}; the former content stays in force", now);
        }
    }
}
