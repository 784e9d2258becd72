package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.files.Readers;
import dev.ebb.files.WholeFile;
import dev.ebb.wire.history.ReceiptView;
import dev.ebb.wire.history.ReceiptView.NoteView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "receipt",
        description = {
            "Writes a proof of deletes: the audit records, each with the proof that a signed checkpoint covers it.",
            "Anyone can verify the receipt offline with the public key: java docs/receipts/VerifyReceipt.java FILE"
                    + " KEY.pub"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  ebb receipt orders/eu-1 o-17 -f receipt.json", "  ebb receipt --command c-42 -f receipt.json"})
@Subcommands(ReceiptKeyCommand.class)
public final class ReceiptCommand implements Callable<Integer> {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "STREAM",
            description = "Stream of the deletes. Default: all of --command or --sweep.")
    private @Nullable String stream;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "EVENT",
            description = "Id of a deleted event. Default: all deletes of the stream.")
    private @Nullable String event;

    @Option(names = "--command", paramLabel = "ID", description = "Command that deleted the events.")
    private @Nullable String command;

    @Option(names = "--sweep", paramLabel = "ID", description = "Sweep that deleted the events.")
    private @Nullable String sweep;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "File for the receipt. An existing file is replaced, a symbolic link refused.")
    private @Nullable Path file;

    @Mixin
    private TimeOptions time;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        Path target = target();
        JsonNode answer = api.connect()
                .get(time.addTo(RestPath.of("v1", "receipts")
                        .with("stream", stream)
                        .with("event", event)
                        .with("sweep", command == null ? sweep : command)));
        write(target, answer);
        ReceiptView receipt = Json.as(answer, ReceiptView.class);
        Set<String> keys = keys(receipt.checkpoints());
        JsonNode result = Json.object()
                .put("file", target.toString())
                .put("records", receipt.records().size())
                .put("keys", String.join(" ", keys));
        output.print(result, terminal -> terminal.out()
                .println(Texts.counted(receipt.records().size(), "audit record") + " in " + target + ", "
                        + (keys.isEmpty() ? "not signed: there was no key" : "signed by " + String.join(", ", keys))));
        return ExitCode.OK.code();
    }

    private Path target() {
        if (stream == null && command == null && sweep == null) {
            throw CommandFailure.usage("name a STREAM, a --command or a --sweep for the receipt");
        }
        if (command != null && sweep != null) {
            throw CommandFailure.usage("--command and --sweep cannot be combined");
        }
        if (file == null) {
            throw CommandFailure.usage("-f names the file for the receipt");
        }
        return file;
    }

    private static Set<String> keys(List<NoteView> checkpoints) {
        Set<String> keys = new TreeSet<>();
        checkpoints.forEach(checkpoint -> keys.addAll(checkpoint.keys()));
        return keys;
    }

    private static void write(Path target, JsonNode receipt) {
        try {
            WholeFile.write(target, Readers.ALL, out -> out.write(Json.pretty(receipt) + "\n"));
        } catch (IOException e) {
            throw CommandFailure.unwritten(target, e);
        }
    }
}
