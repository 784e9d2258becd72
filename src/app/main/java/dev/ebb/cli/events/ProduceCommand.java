package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.kafka.EventUpload;
import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.options.KafkaOptions;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.options.RepeatedTry;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.OnInterrupt;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.config.Settings;
import dev.ebb.domain.time.Durations;
import dev.ebb.serde.json.Defaults;
import dev.ebb.serde.lines.EventLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "produce",
        description = {
            "Sends events from a file to Kafka, one JSON object a line with the field names of the model.",
            "A line that cannot be read is reported with its number and not sent; the other lines are sent. A line that"
                    + " Ebb will reject is reported and sent: 'ebb rejected list' shows it. Both mean exit code 1."
        },
        footer = {
            "  echo '{\"stream\":\"orders/eu-1\",\"id\":\"e-1\",\"type\":\"paid\",\"payload\":{\"n\":1}}' | ebb"
                    + " produce -f -",
            "  echo '{\"id\":\"e-2\",\"type\":\"paid\"}' | ebb produce -k orders/eu-1 -f -",
            "",
            "Fields: stream, id, type, status, occurredAt, completedAt, ttlSeconds, noExpiration, expiresAt,",
            "execution, correlationId, metadata, contentType, payload or payloadBase64; \"update\": true changes a"
                    + " stored event.",
            "A line with an execution and no id declares or changes the execution: stream, execution, status,",
            "parent, startedAt, completedAt.",
            "Times are ISO-8601 or epoch milliseconds."
        })
public final class ProduceCommand extends OutputCommand {

    /** Events that were sent before may be sent again (M-1). */
    private static final String SEND_AGAIN = "Send the whole file again: an event that is already stored counts once";

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "JSON lines, plain or gzip; - reads standard input.")
    private String file;

    @Option(
            names = {"-k", "--key"},
            paramLabel = "STREAM",
            description = "Stream of the lines that name no stream.")
    private @Nullable String key;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "1m",
            description = "Time to try again while the broker or the registry does not answer; 0s tries once."
                    + " Default: ${DEFAULT-VALUE}.")
    private String wait = "1m";

    @Mixin
    private KafkaOptions kafka;

    private final CommandEnvironment context;

    ProduceCommand(CommandEnvironment context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        InputFile input = InputFile.of(file, context);
        FaultyLines faults = new FaultyLines(context.terminal());
        try (EventLines lines = open(input)) {
            KafkaSession session = kafka.connect();
            awaitReady(session);
            EventUpload upload = session.upload(faults, sent -> send(sent, lines, input));
            faults.finish();
            output.print(json(upload), terminal -> say(terminal, upload));
            return (upload.unreadableLines() + upload.rejectedLines() == 0 ? ExitCode.OK : ExitCode.FAILED).code();
        }
    }

    /** Waits until records can be sent. Nothing is read before: standard input could not be read a second time. */
    private void awaitReady(KafkaSession session) {
        Duration patience = patience();
        String what = "connecting to " + session.config().get(Settings.BOOTSTRAP_SERVERS);
        try (Progress progress = Progress.waiting(context.terminal(), what)) {
            new RepeatedTry(patience, System::nanoTime, RepeatedTry::pause)
                    .run(session::requireReady, KafkaSession::isPassing);
        }
    }

    private Duration patience() {
        try {
            long ms = Durations.parseMs(wait);
            if (ms >= 0) {
                return Duration.ofMillis(ms);
            }
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--wait: " + e.getMessage(), e);
        }
        throw CommandFailure.usage("--wait must not be negative, was " + wait);
    }

    private void send(EventUpload upload, EventLines lines, InputFile input) {
        Progress progress = Progress.counting(
                context.terminal(),
                "sent",
                upload::acknowledged,
                () -> input.bytes() == 0 ? -1 : (double) lines.bytesRead() / input.bytes());
        try (var onInterrupt = new OnInterrupt(() -> sayInterrupted(progress, upload))) {
            upload.send(lines);
        } catch (UncheckedIOException e) {
            throw brokenOff(input, upload, e);
        } finally {
            progress.close();
        }
    }

    private void sayInterrupted(Progress progress, EventUpload upload) {
        progress.close();
        PrintWriter err = context.terminal().err();
        err.println("interrupted, " + Texts.count(upload.acknowledged()) + " sent. " + SEND_AGAIN);
        err.flush();
    }

    private EventLines open(InputFile input) {
        try {
            return EventLines.of(input.in(), new Defaults(key, null));
        } catch (IOException e) {
            String what = "cannot read " + input.name() + ": " + e.getMessage() + "; nothing was sent";
            throw new CommandFailure(ExitCode.FAILED, what, e);
        }
    }

    private static CommandFailure brokenOff(InputFile input, EventUpload upload, UncheckedIOException e) {
        String what = "cannot read " + input.name() + ": " + e.getMessage() + "; "
                + Texts.count(upload.acknowledged()) + " sent from the lines before it, nothing after it. Once it is"
                + " repaired: " + SEND_AGAIN;
        return new CommandFailure(ExitCode.FAILED, what, e);
    }

    private static ObjectNode json(EventUpload upload) {
        return Json.object()
                .put("sent", upload.acknowledged())
                .put("unreadable", upload.unreadableLines())
                .put("toBeRejected", upload.rejectedLines());
    }

    private static void say(Terminal terminal, EventUpload upload) {
        String unreadable =
                upload.unreadableLines() == 0 ? "" : ", " + Texts.count(upload.unreadableLines()) + " unreadable";
        String rejected = upload.rejectedLines() == 0
                ? ""
                : ", " + Texts.count(upload.rejectedLines()) + " of them for Ebb to reject";
        terminal.out().println(Texts.count(upload.acknowledged()) + " sent" + rejected + unreadable);
    }
}
