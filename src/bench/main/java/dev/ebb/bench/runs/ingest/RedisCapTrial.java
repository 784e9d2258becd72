package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.InstalledServer;
import dev.ebb.bench.opponents.RedisConnection;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.StoredRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Redis Streams with an exact cap: {@code XADD stream MAXLEN = n * event …}, sent in pipelines as its manual advises for
 * many commands. The commands are made before the clock starts, as the input topic of Ebb is.
 */
final class RedisCapTrial implements Trial<Rate> {

    private static final int PIPELINE = 500;

    private final InstalledServer server;
    private final Lane lane;
    private final Contents left;
    private final List<Entry> entries = new ArrayList<>();

    RedisCapTrial(InstalledServer server, Lane lane, Workload workload) {
        this.server = server;
        this.lane = lane;
        this.left = Model.newest(workload, Cap.EVENTS);
        workload.generator()
                .forEachRemaining(next -> entries.add(new Entry(
                        utf8(next.event().stream().value()), lane.records().event(next.event()))));
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(byte[] stream, byte[] event) {}

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public Rate run() {
        try (RedisConnection redis = new RedisConnection(server.connect())) {
            redis.send(utf8("FLUSHALL"));
            redis.flush();
            redis.receive();
            CpuMeter cpu = new CpuMeter(server.pid());
            Duration cpuBefore = cpu.used();
            long begin = System.nanoTime();
            addAll(redis);
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            Duration used = cpu.used().minus(cpuBefore);
            VoidRunException.requireSame(name(), contents(redis), left);
            return new Rate(entries.size(), took, used);
        } catch (IOException e) {
            throw new VoidRunException("redis failed: " + e.getMessage(), e);
        }
    }

    private void addAll(RedisConnection redis) throws IOException {
        byte[] add = utf8("XADD");
        byte[] maxLength = utf8("MAXLEN");
        byte[] exactly = utf8("=");
        byte[] cap = utf8(Integer.toString(Cap.EVENTS));
        byte[] anyId = utf8("*");
        byte[] field = utf8("event");
        for (int from = 0; from < entries.size(); from += PIPELINE) {
            List<Entry> some = entries.subList(from, Math.min(entries.size(), from + PIPELINE));
            for (Entry entry : some) {
                redis.send(add, entry.stream(), maxLength, exactly, cap, anyId, field, entry.event());
            }
            redis.flush();
            for (int i = 0; i < some.size(); i++) {
                redis.receive();
            }
        }
    }

    private Contents contents(RedisConnection redis) throws IOException {
        StoredRecords records = new StoredRecords(lane);
        Contents all = Contents.NONE;
        redis.send(utf8("KEYS"), utf8("*"));
        redis.flush();
        for (Object stream : (List<?>) redis.receive()) {
            redis.send(utf8("XRANGE"), (byte[]) stream, utf8("-"), utf8("+"));
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
