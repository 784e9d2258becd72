package dev.ebb.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.kafka.EventUpload;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.serde.lines.EventLines;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The demonstration for a person. Sample events arrive, made-up ones keep arriving, and policies are set after a while;
 * the screen always shows what is stored, what goes and why. Ends when the stack is closed.
 */
final class LiveDemo {

    private static final Duration DRAW = Duration.ofMillis(500);
    private static final Duration LINES = Duration.ofSeconds(5);
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration BEFORE_POLICIES = Duration.ofSeconds(10);
    private static final long SEED = 20_261_121;
    private static final String CLEAR = "\u001b[2J";
    private static final String HOME = "\u001b[H";
    private static final String ERASE_LINE = "\u001b[K";
    private static final String ERASE_BELOW = "\u001b[J";
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";

    private final DemoStack stack;
    private final Terminal terminal;
    private final RestApi api;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile String news = "No policy is set: the built-in policies keep everything for 30 days.";

    LiveDemo(DemoStack stack, Terminal terminal) {
        this.stack = stack;
        this.terminal = terminal;
        this.api = stack.api(terminal.withoutErrors());
    }

    void run(List<RetentionPolicy> policies, EventLines sample, Map<String, String> settings)
            throws InterruptedException {
        stack.startApplication(settings);
        Thread traffic = new Thread(() -> traffic(policies, sample), "demo-traffic");
        traffic.setDaemon(true);
        traffic.start();
        Thread screen = new Thread(this::show, "demo-screen");
        screen.setDaemon(true);
        screen.start();
        stack.awaitClose();
        isClosed.set(true);
        screen.join(DRAW.toMillis());
    }

    private void traffic(List<RetentionPolicy> policies, EventLines sample) {
        try {
            stack.kafka().upload(line -> {}, upload -> {
                upload.send(sample);
                keepSending(upload, policies);
            });
        } catch (CommandFailure e) {
            news = "The traffic has ended: " + e.getMessage();
        }
    }

    private void keepSending(EventUpload upload, List<RetentionPolicy> policies) {
        DemoTraffic traffic = new DemoTraffic(SEED, upload::send, upload::send);
        long policiesAt = BEFORE_POLICIES.dividedBy(TICK);
        for (long tick = 1; !isClosed.get(); tick++) {
            traffic.tick();
            if (tick == policiesAt) {
                // Confirmed, since the brake would hold them back: they delete a large part of what is stored by then.
                stack.kafka()
                        .publish(policies.stream()
                                .map(policy ->
                                        policy.toBuilder().confirmed(true).build())
                                .toList());
                news = policies.size() + " policies were set " + BEFORE_POLICIES.toSeconds()
                        + " s after the start; they also act on events that were stored before.";
            }
            pause(TICK);
        }
    }

    private void show() {
        boolean isTerminal = terminal.isOutTerminal();
        LiveScreen screen =
                new LiveScreen(terminal, Instant.now(), stack.endpoints().apiUrl());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopShowing(isTerminal), "demo-end"));
        terminal.out().print(isTerminal ? CLEAR + HIDE_CURSOR : "");
        while (!isClosed.get()) {
            LiveFigures figures = LiveFigures.read(api, stack);
            if (isTerminal) {
                draw(screen.lines(figures, news, Instant.now()));
            } else {
                terminal.out().println(line(figures));
                terminal.out().flush();
            }
            pause(isTerminal ? DRAW : LINES);
        }
    }

    /** Stops at once: messages about the end of the processes must stay readable. */
    private void stopShowing(boolean isTerminal) {
        isClosed.set(true);
        synchronized (terminal) {
            terminal.out().print(isTerminal ? SHOW_CURSOR + "\n" : "");
            terminal.out().flush();
        }
    }

    private void draw(List<String> lines) {
        StringBuilder picture = new StringBuilder(HOME);
        lines.stream()
                .limit(terminal.lines() - 1L)
                .forEach(line -> picture.append(line).append(ERASE_LINE).append('\n'));
        synchronized (terminal) {
            if (!isClosed.get()) {
                terminal.out().print(picture.append(ERASE_BELOW));
                terminal.out().flush();
            }
        }
    }

    private String line(LiveFigures figures) {
        JsonNode counts = figures.status().path("counts");
        StringBuilder line = new StringBuilder(Texts.second(Instant.now()));
        line.append(" in=").append(counts.path("ingested").asText(Texts.NONE));
        line.append(" stored=").append(stored(figures.status().path("namespaces")));
        counts.path("removed").properties().forEach(cause -> line.append(' ')
                .append(cause.getKey())
                .append('=')
                .append(cause.getValue().path("events").asText()));
        line.append(" sql=").append(figures.allSqlRows());
        return line.append(" lag=")
                .append(figures.status().path("mirror").path("lag").asText(Texts.NONE))
                .toString();
    }

    private static long stored(JsonNode namespaces) {
        long events = 0;
        for (JsonNode namespace : namespaces) {
            events += namespace.path("events").longValue();
        }
        return events;
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted", e);
        }
    }
}
