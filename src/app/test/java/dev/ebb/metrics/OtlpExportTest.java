package dev.ebb.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** All meters of a registry, as a collector of OpenTelemetry gets them. */
@Tag("R-14")
class OtlpExportTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String HEADERS = "otel.exporter.otlp.headers";

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
    private HttpServer collector;

    /** What came, with the path and a header of its request. */
    private record Sent(String path, String type, String authorization, Message body) {}

    private static final class Lines extends AppenderBase<ILoggingEvent> {

        final BlockingQueue<ILoggingEvent> lines = new LinkedBlockingQueue<>();

        @Override
        protected void append(ILoggingEvent line) {
            lines.add(line);
        }
    }

    @BeforeEach
    void listen() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", this::take);
        collector.start();
    }

    @AfterEach
    void stop() {
        System.clearProperty(HEADERS);
        collector.stop(0);
    }

    private void take(HttpExchange exchange) throws IOException {
        Message body = new Message(exchange.getRequestBody().readAllBytes());
        sent.add(new Sent(
                exchange.getRequestURI().getPath(),
                exchange.getRequestHeaders().getFirst("Content-Type"),
                exchange.getRequestHeaders().getFirst("Authorization"),
                body));
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    @Test
    void shouldSendAllMetersWithTheNameOfTheInstance() throws InterruptedException {
        // given
        Counter deleted = Counter.builder().name("ebb_deleted").register(registry);
        Gauge.builder().name("ebb_ready").register(registry).set(1);
        deleted.inc(7);
        System.setProperty(HEADERS, "authorization=Bearer secret");

        // when
        try (OtlpExport export =
                OtlpExport.start(registry, address(collector.getAddress().getPort()), SECOND, "ebb-0")) {
            Sent first = Objects.requireNonNull(sent.poll(20, TimeUnit.SECONDS), "nothing came");

            // then
            assertThat(first.path).isEqualTo("/v1/metrics");
            assertThat(first.type).isEqualTo("application/x-protobuf");
            assertThat(first.authorization).isEqualTo("Bearer secret");
            Message metrics = first.body.all(1).get(0);
            assertThat(attributes(metrics.all(1).get(0)))
                    .contains("service.name=ebb", "service.instance.id=ebb-0")
                    .anyMatch(attribute -> attribute.startsWith("service.version="));
            List<Message> meters = metrics.all(2).get(0).all(2);
            assertThat(value(meters, "ebb_deleted", 7)).isEqualTo(7);
            assertThat(value(meters, "ebb_ready", 5)).isEqualTo(1);

            // and: a later export has what came since
            deleted.inc();
            double later = 0;
            while (later < 8) {
                Sent next = Objects.requireNonNull(sent.poll(20, TimeUnit.SECONDS), "nothing more came");
                later = value(next.body.all(1).get(0).all(2).get(0).all(2), "ebb_deleted", 7);
            }
            assertThat(later).isEqualTo(8);
        }
    }

    /** A collector that is away must not keep an instance from its work or from its end. */
    @Test
    void shouldSayInTheLogThatTheCollectorIsAwayAndEndSoon() throws Exception {
        // given
        Gauge.builder().name("ebb_ready").register(registry).set(1);
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        Logger library = (Logger) LoggerFactory.getLogger("io.opentelemetry");
        Lines log = new Lines();
        log.start();
        library.addAppender(log);

        // when
        OtlpExport export = OtlpExport.start(registry, address(free), SECOND, "ebb-0");

        // then
        try {
            ILoggingEvent line = Objects.requireNonNull(log.lines.poll(20, TimeUnit.SECONDS), "nothing was logged");
            assertThat(line.getFormattedMessage()).contains("Failed to export metrics", "metrics.otlp.endpoint");
            assertThat(line.getThrowableProxy()).isNull();
        } finally {
            library.detachAppender(log);
            long begin = System.nanoTime();
            export.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
        }
    }

    private static String address(int port) {
        return "http://127.0.0.1:" + port;
    }

    /** Returns the value of a meter with one point. */
    private static double value(List<Message> meters, String name, int kind) {
        Message meter = meters.stream()
                .filter(each -> each.text(1).equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is missing"));
        return meter.all(kind).get(0).all(1).get(0).number(4);
    }

    private static List<String> attributes(Message resource) {
        return resource.all(1).stream()
                .map(pair -> pair.text(1) + "=" + pair.all(2).get(0).text(1))
                .toList();
    }

    /** A message of Protocol Buffers: enough of the format for the test, and none of its schemas. */
    private record Message(byte[] bytes) {

        private record Field(int number, byte[] value) {}

        List<Message> all(int number) {
            return values(number).stream().map(Message::new).toList();
        }

        String text(int number) {
            return values(number).stream()
                    .findFirst()
                    .map(value -> new String(value, StandardCharsets.UTF_8))
                    .orElse("");
        }

        double number(int number) {
            return ByteBuffer.wrap(values(number).get(0))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getDouble();
        }

        private List<byte[]> values(int number) {
            return fields().stream()
                    .filter(field -> field.number == number)
                    .map(Field::value)
                    .toList();
        }

        private List<Field> fields() {
            List<Field> fields = new ArrayList<>();
            ByteBuffer in = ByteBuffer.wrap(bytes);
            while (in.hasRemaining()) {
                long tag = varint(in);
                int length =
                        switch ((int) (tag & 7)) {
                            case 0 -> {
                                varint(in);
                                yield 0;
                            }
                            case 1 -> 8;
                            case 5 -> 4;
                            default -> (int) varint(in);
                        };
                byte[] value = new byte[length];
                in.get(value);
                fields.add(new Field((int) (tag >>> 3), value));
            }
            return fields;
        }

        private static long varint(ByteBuffer in) {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = in.get();
                value |= (long) (next & 0x7f) << shift;
                if (next >= 0) {
                    return value;
                }
            }
        }
    }
}
