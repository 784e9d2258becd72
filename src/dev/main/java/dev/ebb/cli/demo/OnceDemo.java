package dev.ebb.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.kafka.EventUpload;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.config.Settings;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.serde.lines.EventLines;
import dev.ebb.serde.lines.Line;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The demonstration without a person: all input is sent before the application starts, and the result is compared at
 * the end.
 */
final class OnceDemo {

    private static final Duration POLL = Duration.ofMillis(200);
    /** Longest time without any change before the demonstration gives up. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final DemoStack stack;
    private final Terminal terminal;
    private final RestApi api;
    private final Settling settling;
    private volatile String waitingFor = "the application";
    private JsonNode status = Json.object();
    private Comparison comparison = new Comparison(List.of(), List.of());

    OnceDemo(DemoStack stack, Terminal terminal) {
        this.stack = stack;
        this.terminal = terminal;
        this.api = stack.api(terminal.withoutErrors());
        this.settling = new Settling(stack.kafka().config().get(Settings.TOPICS_PARTITIONS), Clock.systemUTC());
    }

    /**
     * Applies the policies, sends the events, starts the application, and waits until stores and SQL agree, or until
     * nothing changes any more.
     *
     * @param unreadable takes each line that is not sent
     * @param settings settings of the application
     */
    DemoReport run(
            List<RetentionPolicy> policies,
            EventLines events,
            Consumer<Line.Unreadable> unreadable,
            Map<String, String> settings) {
        stack.kafka().publish(policies);
        say(policies.size() + " policies applied");
        EventUpload upload = send(events, unreadable);
        say(upload.acknowledged() + " records sent, " + upload.unreadableLines() + " lines unreadable");
        stack.startApplication(settings);
        awaitAgreement();
        return new DemoReport(upload.unreadableLines(), status, comparison);
    }

    private EventUpload send(EventLines events, Consumer<Line.Unreadable> unreadable) {
        return stack.kafka().upload(unreadable, upload -> {
            Progress progress = Progress.counting(terminal, "sent", upload::acknowledged, () -> -1);
            try {
                upload.send(events);
            } finally {
                progress.close();
            }
        });
    }

    private void awaitAgreement() {
        Progress progress = Progress.saying(terminal, () -> "waiting for " + waitingFor);
        try {
            String seen = "";
            long deadline = deadline();
            while (!isDone() && System.nanoTime() - deadline < 0) {
                String now = status.path("counts") + waitingFor;
                deadline = now.equals(seen) ? deadline : deadline();
                seen = now;
                pause();
            }
        } finally {
            progress.close();
        }
        if (!comparison.agrees()) {
            say("gave up waiting for " + waitingFor);
        }
    }

    private boolean isDone() {
        try {
            status = api.get(RestPath.of("v1", "status"));
            String missing = settling.waitingFor(status);
            waitingFor = missing.isEmpty() ? "stores and SQL to be compared" : missing;
            return missing.isEmpty() && compare();
        } catch (CommandFailure e) {
            if (e.exitCode() != ExitCode.NOT_READY) {
                throw e;
            }
            waitingFor = "the application: " + e.getMessage();
            return false;
        }
    }

    /** Compares stores and SQL. Events may have fallen due since the last sweep; then a later comparison differs. */
    private boolean compare() {
        try (Connection sql = stack.sql()) {
            comparison = new Comparison(new StoredEvents(api).read(), SqlEvents.read(sql));
            waitingFor = "stores (" + Texts.counted(comparison.stored().size(), "event") + ") and SQL ("
                    + Texts.counted(comparison.sql().size(), "row") + ") to agree";
            return comparison.agrees();
        } catch (SQLException e) {
            throw new CommandFailure(ExitCode.FAILED, "PostgreSQL: " + e.getMessage(), e);
        }
    }

    private void say(String what) {
        terminal.err().println(what);
        terminal.err().flush();
    }

    private static long deadline() {
        return System.nanoTime() + PATIENCE.toNanos();
    }

    private static void pause() {
        try {
            Thread.sleep(POLL.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted", e);
        }
    }
}
