package dev.ebb.bench.runs.sweep;

import com.sun.management.ThreadMXBean;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Ebb, with a policy that is declared in the usual way. The memory that stream threads allocate until the first delete
 * bounds the number of events that were read: an event cannot be read without memory for its bytes.
 */
final class EbbChangeTrial implements Trial<Change> {

    private static final int EVENT_BYTES = 264;
    static final Duration SETTLE = Duration.ofSeconds(2);

    private final InputTopic input;

    EbbChangeTrial(InputTopic input) {
        this.input = input;
    }

    @Override
    public String name() {
        return "ebb";
    }

    @Override
    public Change run() throws InterruptedException {
        input.lane().renewTopics();
        AtomicLong allocated = new AtomicLong();
        try (EbbApp app = EbbApp.start(input.lane(), Policies.KEEP)) {
            app.take(input.lastOffsets());
            TimeUnit.MILLISECONDS.sleep(SETTLE.toMillis());
            long[] threads = app.application().threadIds();
            Expirations expirations = app.expirations();
            expirations.expect(Model.due(input.workload()));
            expirations.onFirst(() -> allocated.set(allocated(threads)));
            long before = allocated(threads);
            long begin = System.nanoTime();
            new Policies(input.lane())
                    .declare(Policies.DROP_UNDOABLE.toBuilder().confirmed(true).build());
            expirations.await(Expirations.LIMIT);
            app.awaitCommitted();
            double all = (System.nanoTime() - begin) / 1e9;
            app.requireContents(Model.guarded(input.workload()));
            double read = (double) (allocated.get() - before) / EVENT_BYTES;
            return new Change((expirations.firstNanos() - begin) / 1e9, all, read);
        }
    }

    private static long allocated(long[] threads) {
        ThreadMXBean beans = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return LongStream.of(beans.getThreadAllocatedBytes(threads)).sum();
    }
}
