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
 * in: the long form of {@code HostileRecordsIT}. Every one is set aside, and no stream thread ends.
 */
final class HostileStorm implements Fault {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String THREAD_ENDED = "a stream thread failed";
    private static final int RECORDS = 100;

    @Override
    public String name() {
        return "hostile";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        String servers = stack.services().endpoints().bootstrapServers();
        long endedBefore = threadsEnded(stack.instances());
        try (HostileRecords hostile = new HostileRecords(
                                run.random(),
                                servers,
                                stack.topics(),
                                stack.records(),
                                stack.kafka().config().recordMaxBytes())
                        .sparingRekey();
                CommittedTopic rejected =
                        CommittedTopic.withoutValues(servers, stack.topics().rejected())) {
            for (int round = 0; round < run.rounds(1, 20); round++) {
                hostile.send(RECORDS);
                hostile.sendBomb(stack.topics().events(), 200, hostile.biggestRejectedBytes());
                hostile.sendBomb(stack.topics().policies(), 20, 20_000_000);
                hostile.sendBomb(stack.topics().commands(), 1, 100_000_000);
                Await.until("each is set aside", LIMIT, () -> hostile.missing(rejected.read()));
                long ended = threadsEnded(stack.instances()) - endedBefore;
                if (ended > 0) {
                    throw new AssertionError(ended + " stream threads have ended");
                }
                run.round();
            }
            run.remark(hostile.expected() + " set aside, " + hostile.unsendable() + " refused by the broker");
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
