package dev.ebb.api.forecast;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.RequestMeter;
import dev.ebb.wire.forecast.UpdateView;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * News as server-sent events (C-10). Each listener has a thread of the server for itself, so that a slow reader delays
 * no other; there are therefore only a few places. A stream ends after a while, and with the server; browsers and other
 * clients then reconnect by themselves.
 */
public final class UpdatesResource implements ApiResource, AutoCloseable {

    /** Most listeners at the same time. */
    static final int MOST = 16;

    /** Shorter than the longest time of a request, so that a stream ends properly and is not cut. */
    private static final Duration LONGEST = Duration.ofSeconds(100);

    /** A sign of life while nothing changes: intermediaries close silent connections. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    /** Longest wait for listeners when the resource closes. */
    private static final Duration LAST_BYTES = Duration.ofSeconds(2);

    private static final String EVENT_STREAM = "text/event-stream";
    private static final int RETRY_MS = 2000;

    private final Bulletin bulletin;
    private final RequestMeter meter;
    private final Clock clock;
    private final Semaphore places = new Semaphore(MOST);
    private final CountDownLatch closing = new CountDownLatch(1);

    public UpdatesResource(ApiPorts ports, Clock clock) {
        this.bulletin = new Bulletin(ports, System::nanoTime);
        this.meter = ports.requests();
        this.clock = clock;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get(
                        "/v1/updates",
                        this::listen,
                        "Sends news as server-sent events named status, policies, sweeps, audit and ingest: each at"
                                + " once, and then after each change, at most every two seconds. Ends after 100 seconds;"
                                + " then connect again.")
                .query(
                        "wait",
                        "Longest time to listen, for example 30s; 0 sends each event once and ends. Default: 100s.")
                .answers(200, new ApiRoute.Content(EVENT_STREAM, UpdateView.class)));
    }

    /** Ends all streams, and waits a moment for their last bytes to leave. */
    @Override
    public void close() {
        closing.countDown();
        try {
            if (places.tryAcquire(MOST, LAST_BYTES.toMillis(), TimeUnit.MILLISECONDS)) {
                places.release(MOST);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen(Context ctx, QueryParams params) throws InterruptedException {
        Duration longest = params.wait(LONGEST);
        params.done();
        if (!places.tryAcquire()) {
            ctx.header("Retry-After", "10");
            throw new ProblemException(
                    ProblemKind.TOO_MANY_REQUESTS,
                    "there are " + MOST + " listeners already; ask GET /v1/status every few seconds instead");
        }
        meter.listens(ctx);
        meter.listening(1);
        try {
            ctx.res().setContentType(EVENT_STREAM);
            ctx.res().setCharacterEncoding("UTF-8");
            ctx.res().setHeader("Cache-Control", "no-store");
            ctx.res().setHeader("X-Accel-Buffering", "no");
            OutputStream out = ctx.res().getOutputStream();
            send(out, longest);
            out.close();
        } catch (IOException e) {
            // The listener has gone.
        } finally {
            meter.listening(-1);
            places.release();
        }
    }

    private void send(OutputStream out, Duration longest) throws IOException, InterruptedException {
        Map<String, Object> sent = new LinkedHashMap<>();
        long begin = System.nanoTime();
        long spoke = begin;
        out.write(("retry: " + RETRY_MS + "\n\n").getBytes(StandardCharsets.UTF_8));
        boolean isOver = false;
        while (!isOver) {
            String text = news(bulletin.latest(), sent);
            boolean isSilent = text.isEmpty() && System.nanoTime() - spoke < LONGEST_SILENCE.toNanos();
            if (!isSilent) {
                out.write((text.isEmpty() ? ":\n\n" : text).getBytes(StandardCharsets.UTF_8));
                out.flush();
                spoke = System.nanoTime();
            }
            isOver = System.nanoTime() - begin >= longest.toNanos()
                    || closing.await(Bulletin.PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Returns the parts that have changed since they were last sent, as events. */
    private String news(UpdateView latest, Map<String, Object> sent) {
        StringBuilder text = new StringBuilder();
        append(text, "status", latest.status(), sent);
        append(text, "policies", latest.policies(), sent);
        append(text, "sweeps", latest.sweeps(), sent);
        append(text, "audit", latest.audit(), sent);
        append(text, "ingest", latest.ingest(), sent);
        return text.toString();
    }

    private void append(StringBuilder text, String name, @Nullable Object event, Map<String, Object> sent) {
        if (event == null || Objects.equals(sent.put(name, event), event)) {
            return;
        }
        text.append("id: ")
                .append(clock.millis())
                .append("\nevent: ")
                .append(name)
                .append("\ndata: ");
        text.append(new String(ApiJson.bytes(event), StandardCharsets.UTF_8)).append("\n\n");
    }
}
