package dev.ebb.faults;

import static dev.ebb.model.EventBuilder.event;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.config.Settings;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.it.Await;
import dev.ebb.serde.mirror.MirrorRows;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Events as big as they may be and one byte bigger, and names that mean something elsewhere. */
final class HugeAndHostile implements Fault {

    private static final List<String> NAMES = List.of(
            "'; DROP TABLE event; --",
            "../../etc/passwd",
            "a//b///c/",
            "%2F%00?x=1#y&z",
            "=cmd|'/C calc'!A0",
            "<script>alert(1)</script>",
            "{\"json\": \"\\\"}",
            "\u202Egnp.exe",
            "\uD83D\uDCA5/\uD83C\uDF0A",
            "zero\u200Bwidth \uFFFD",
            "n".repeat(255),
            "hold:*",
            "*");

    /** Bytes of a record on the wire besides key and value. */
    private static final int OVERHEAD_BYTES = 1024;

    @Override
    public String name() {
        return "huge";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        for (int round = 0; round < run.rounds(1, 10); round++) {
            hostile(stack, round);
            huge(stack, round);
            run.round();
        }
    }

    private static void hostile(FaultStack stack, int round) {
        for (String name : NAMES) {
            send(
                    stack,
                    event(name, name)
                            .type("bell\u0007 " + round)
                            .status(round % 2 == 0 ? "run\u202Ening" : null)
                            .correlationId(name)
                            .contentType("text/html; \r\n x")
                            .metadata(Map.of(name, name, "nul\\u0000", "\\u0000 \u0007", "", ""))
                            .payload(name.getBytes(UTF_8))
                            .build());
        }
    }

    /**
     * At the limit of the row as JSON, which is the biggest record that an event makes. Three bytes of payload are four
     * in a row, so one byte beyond a multiple of three makes the row bigger.
     */
    private static void huge(FaultStack stack, int round) throws IOException, InterruptedException {
        int limit = stack.kafka().config().get(Settings.RECORD_MAX_BYTES) - OVERHEAD_BYTES;
        String stream = "huge/" + round;
        int draft = (limit - 4000) / 4 * 3;
        Event drafted = event(stream, "fits").payloadBytes(draft).build();
        int most = draft + (int) Math.floorDiv(limit - rowBytes(drafted), 4) * 3;
        send(stack, event(stream, "fits").payloadBytes(most).build());
        send(stack, event(stream, "over").payloadBytes(most + 1).build());
        send(stack, event(stream, "small").build());
        String path = "/v1/streams/" + URLEncoder.encode(stream, UTF_8) + "/events/";
        Await.until("the biggest event and its neighbour are stored", Duration.ofMinutes(2), () -> {
            int fits = Rest.get(stack.any().url(), path + "fits").status();
            int small = Rest.get(stack.any().url(), path + "small").status();
            return fits == 200 && small == 200 ? "" : "fits " + fits + ", small " + small;
        });
        int over = Rest.get(stack.any().url(), path + "over").status();
        if (over != 404) {
            throw new AssertionError("an event that is too big by one byte is answered with " + over);
        }
    }

    private static long rowBytes(Event event) {
        long nowMs = System.currentTimeMillis();
        Event whole = event(event.stream().value(), event.id().value())
                .type(event.type())
                .occurredAt(nowMs)
                .completedAt(nowMs)
                .payload(event.payload())
                .build();
        MirrorRows rows = new MirrorRows();
        return (long) rows.eventKey(nowMs, event.stream().value(), event.id().value()).length
                + rows.eventRow(new StoredEvent(whole, nowMs, 0, false)).length;
    }

    private static void send(FaultStack stack, Event event) {
        byte[] value = stack.records().event(event);
        stack.load()
                .send(new ProducerRecord<>(
                        stack.topics().events(), event.stream().value().getBytes(UTF_8), value));
    }
}
