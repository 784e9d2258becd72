package dev.ebb.receipt;

import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import java.nio.file.Path;
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
                    + " KEY.pub",
            "A large receipt comes in parts, each in a file of its own: r-1-of-3.json instead of r.json. The verifier"
                    + " takes all of them together."
        },
        footer = {"  ebb receipt orders/eu-1 o-17 -f receipt.json", "  ebb receipt --command c-42 -f receipt.json"})
@Subcommands(ReceiptKeyCommand.class)
public final class ReceiptCommand extends ApiCommand {

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

    @Override
    public Integer call() {
        ReceiptFiles files = new ReceiptFiles(target());
        RestApi connected = api.connect();
        String next = null;
        do {
            next = files.add(connected.get(question(next)));
        } while (next != null);
        output.print(files.toJson(), terminal -> terminal.out().println(files));
        return ExitCode.OK.code();
    }

    private RestPath question(@Nullable String after) {
        return time.addTo(RestPath.of("v1", "receipts")
                        .with("stream", stream)
                        .with("event", event)
                        .with("command", command)
                        .with("sweep", sweep))
                .with("after", after);
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
        if (file.startsWith("/dev") || file.startsWith("/proc")) {
            throw CommandFailure.usage("a receipt is written to a file, and " + file + " is none; name a new file");
        }
        return file;
    }
}
