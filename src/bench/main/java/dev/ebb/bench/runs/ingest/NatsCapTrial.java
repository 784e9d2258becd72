package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.opponents.InstalledServer;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.StoredRecords;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * NATS JetStream with a subject for each stream and {@code MaxMsgsPerSubject}, in files, published without waiting for
 * each answer. The messages are made before the clock starts, like the input topic of Ebb.
 */
final class NatsCapTrial implements Trial<Rate> {

    private static final String STREAM = "events";
    private static final String PREFIX = "e.";

    /** Most messages without an acknowledgement. */
    private static final int IN_FLIGHT = 2000;

    private static final Duration READ_LIMIT = Duration.ofSeconds(10);

    private final InstalledServer server;
    private final StoredRecords records;
    private final Contents left;
    private final List<Entry> entries = new ArrayList<>();

    NatsCapTrial(InstalledServer server, InputTopic input, Contents left) {
        this.server = server;
        this.records = new StoredRecords(input.lane());
        this.left = left;
        input.workload()
                .generator()
                .forEachRemaining(next -> entries.add(new Entry(
                        subject(next.event().stream().value()),
                        input.lane().records().event(next.event()))));
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(String subject, byte[] event) {}

    /** Silences the client, which would report each pause of the server; a run that fails says why. */
    private static final class Silence implements ErrorListener {}

    /** Returns a subject for the stream: dots and some other characters of names have a meaning in subjects. */
    private static String subject(String stream) {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(stream.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String name() {
        return "nats";
    }

    @Override
    public Rate run() throws InterruptedException {
        Options options = new Options.Builder()
                .server("nats://127.0.0.1:" + server.port())
                .noReconnect()
                .errorListener(new Silence())
                .build();
        try (Connection nats = Nats.connect(options)) {
            JetStreamManagement management = nats.jetStreamManagement();
            begin(management);
            CpuMeter cpu = new CpuMeter(server.pid());
            Duration cpuBefore = cpu.used();
            long begin = System.nanoTime();
            publish(nats.jetStream());
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            Duration used = cpu.used().minus(cpuBefore);
            VoidRunException.requireSame(name(), contents(nats.jetStream(), management), left);
            return new Rate(entries.size(), took, used);
        } catch (IOException | JetStreamApiException | ExecutionException e) {
            throw new VoidRunException("nats failed: " + e.getMessage(), e);
        }
    }

    private static void begin(JetStreamManagement management) throws IOException, JetStreamApiException {
        if (management.getStreamNames().contains(STREAM)) {
            management.deleteStream(STREAM);
        }
        management.addStream(StreamConfiguration.builder()
                .name(STREAM)
                .subjects(PREFIX + ">")
                .storageType(StorageType.File)
                .maxMessagesPerSubject(CapBenchmark.CAP)
                .build());
    }

    private void publish(JetStream stream) throws InterruptedException, ExecutionException {
        Queue<CompletableFuture<PublishAck>> waiting = new ArrayDeque<>();
        for (Entry entry : entries) {
            if (waiting.size() == IN_FLIGHT) {
                waiting.remove().get();
            }
            waiting.add(stream.publishAsync(entry.subject(), entry.event()));
        }
        for (CompletableFuture<PublishAck> last : waiting) {
            last.get();
        }
    }

    private Contents contents(JetStream stream, JetStreamManagement management)
            throws IOException, JetStreamApiException, InterruptedException {
        long messages = management.getStreamInfo(STREAM).getStreamState().getMsgCount();
        JetStreamSubscription all = stream.subscribe(
                PREFIX + ">", PushSubscribeOptions.builder().ordered(true).build());
        Contents contents = Contents.NONE;
        for (long i = 0; i < messages; i++) {
            Message next = all.nextMessage(READ_LIMIT);
            if (next == null) {
                throw new VoidRunException("nats has " + messages + " messages and shows " + i);
            }
            contents = contents.plus(records.contents(next.getData()));
        }
        all.unsubscribe();
        return contents;
    }
}
