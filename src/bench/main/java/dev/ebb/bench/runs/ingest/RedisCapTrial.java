package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.opponents.InstalledServer;
import dev.ebb.bench.opponents.RedisConnection;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.StoredRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Redis Streams with an exact cap: {@code XADD stream MAXLEN = n * event …}, in one pipeline: one thread sends all
 * commands while another receives the answers. The commands are made before the clock starts, like the input topic of
 * Ebb.
 */
final class RedisCapTrial implements Trial<Rate> {

    private final InstalledServer server;
    private final StoredRecords records;
    private final Contents left;
    private final List<byte[]> commands = new ArrayList<>();

    RedisCapTrial(InstalledServer server, InputTopic input, Contents left) {
        this.server = server;
        this.records = new StoredRecords(input.lane());
        this.left = left;
        input.workload()
                .generator()
                .forEachRemaining(next -> commands.add(RedisConnection.command(
                        utf8("XADD"),
                        utf8(next.event().stream().value()),
                        utf8("MAXLEN"),
                        utf8("="),
                        utf8(Integer.toString(CapBenchmark.CAP)),
                        utf8("*"),
                        utf8("event"),
                        input.lane().records().event(next.event()))));
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public Rate run() throws InterruptedException {
        try (RedisConnection redis = new RedisConnection(server.connect())) {
            redis.send(RedisConnection.command(utf8("FLUSHALL")));
            redis.flush();
            redis.receive();
            CpuMeter cpu = new CpuMeter(server.pid());
            Duration cpuBefore = cpu.used();
            long begin = System.nanoTime();
            addAll(redis);
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            Duration used = cpu.used().minus(cpuBefore);
            VoidRunException.requireSame(name(), contents(redis), left);
            return new Rate(commands.size(), took, used);
        } catch (IOException e) {
            throw new VoidRunException("redis failed: " + e.getMessage(), e);
        }
    }

    /** Sends all commands. An error in an answer closes the connection, and with it ends the sender. */
    private void addAll(RedisConnection redis) throws IOException, InterruptedException {
        FutureTask<Integer> sending = new FutureTask<>(() -> {
            for (byte[] command : commands) {
                redis.send(command);
            }
            redis.flush();
            return commands.size();
        });
        Thread sender = new Thread(sending, "bench-redis-sender");
        sender.setDaemon(true);
        sender.start();
        for (int i = 0; i < commands.size(); i++) {
            redis.receive();
        }
        try {
            sending.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    private Contents contents(RedisConnection redis) throws IOException {
        Contents all = Contents.NONE;
        redis.send(RedisConnection.command(utf8("KEYS"), utf8("*")));
        redis.flush();
        for (Object stream : (List<?>) redis.receive()) {
            redis.send(RedisConnection.command(utf8("XRANGE"), (byte[]) stream, utf8("-"), utf8("+")));
            redis.flush();
            for (Object entry : (List<?>) redis.receive()) {
                List<?> fields = (List<?>) ((List<?>) entry).get(1);
                all = all.plus(records.contents((byte[]) fields.get(1)));
            }
        }
        return all;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
