package dev.ebb.faults;

import dev.ebb.it.Await;
import dev.ebb.it.CommittedTopic;
import dev.ebb.it.HostileRecords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/**
 * Records of every size around every limit and far beyond it, in every compression, on every topic, while good events come
 * in: the long form of {@code HostileRecordsIT}. Every one is set aside, no stream thread ends, and the probes stay green.
 */
final class HostileStorm implements Fault {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final String THREAD_ENDED = "a stream thread failed";
    private static final int RECORDS = 100;

    /** Least duration of the full form. */
    private static final Duration FULL = Duration.ofMinutes(10);

    @Override
    public String name() {
        return "hostile";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        String servers = stack.services().endpoints().bootstrapServers();
        long endedBefore = threadsEnded(stack.instances());
        long sentBefore = stack.load().sent();
        try (ProbeWatch probes = new ProbeWatch(stack.instances());
                HostileRecords hostile = new HostileRecords(
                                run.random(), stack.kafka().config(), stack.topics(), stack.records())
                        .sparingRekey();
                CommittedTopic rejected =
                        CommittedTopic.withoutValues(servers, stack.topics().rejected())) {
            long begin = System.nanoTime();
            for (int round = 0; round < run.rounds(1, 3) || isShort(run, begin); round++) {
                hostile.send(RECORDS);
                hostile.sendBomb(stack.topics().events(), 200, hostile.biggestRejectedBytes());
                hostile.sendBomb(stack.topics().policies(), 20, 20_000_000);
                hostile.sendBomb(stack.topics().commands(), 1, 100_000_000);
                Await.until("each is set aside", LIMIT, () -> hostile.missing(rejected.read()));
                check(stack.instances(), endedBefore);
                run.round();
            }
            probes.check(run);
            run.remark(hostile.expected() + " set aside, " + hostile.unsendable() + " refused by the broker; "
                    + (stack.load().sent() - sentBefore) + " good ones beside them, "
                    + stack.load().lost() + " lost");
            for (Instance instance : stack.instances()) {
                run.remark(instance + " had at most " + instance.mostResidentBytes() / 1_000_000 + " MB");
            }
        }
    }

    private static boolean isShort(FaultRun run, long begin) {
        return run.isFull() && System.nanoTime() - begin < FULL.toNanos();
    }

    private static void check(List<Instance> instances, long endedBefore) {
        long ended = threadsEnded(instances) - endedBefore;
        if (ended > 0) {
            throw new AssertionError(ended + " stream threads have ended");
        }
        for (Instance instance : instances) {
            if (instance.hasEndedByItself()) {
                throw new AssertionError(instance + " ended with exit code " + instance.exitCode());
            }
        }
    }

    private static long threadsEnded(List<Instance> instances) {
        return instances.stream().mapToLong(HostileStorm::threadsEnded).sum();
    }

    private static long threadsEnded(Instance instance) {
        try (var lines = Files.lines(instance.log())) {
            return lines.filter(line -> line.contains(THREAD_ENDED)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
