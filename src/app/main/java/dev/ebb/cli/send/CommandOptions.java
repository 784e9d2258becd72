package dev.ebb.cli.send;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.ApiAddress;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.tables.CommandTables;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.events.StreamView;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of every command that the application carries out; sends the command and shows its result. */
public final class CommandOptions {

    /** Meaning of {@code --verbose} for the result of a command. */
    public static final String VERBOSE =
            "Also show the author and digest of a plan, the state, and the time that it took.";

    @Option(names = "--dry-run", description = "Only show what the command would do.")
    private boolean dryRun;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Reason, kept in the audit.")
    private @Nullable String reason;

    @Option(names = "--actor", paramLabel = "NAME", description = "Author. Default: the user of this system.")
    private String actor = System.getProperty("user.name", "");

    @Option(
            names = "--command-id",
            paramLabel = "ID",
            description = "Id of the command. A command that is sent twice under one id is carried out once."
                    + " Default: a new id.")
    private @Nullable String commandId;

    @Option(
            names = {"-v", "--verbose"},
            description = VERBOSE)
    private boolean verbose;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    public CommandOptions(CommandEnvironment context) {
        this.api = new ApiOptions(context);
        this.output = new OutputOptions(context);
    }

    public boolean isDryRun() {
        return dryRun;
    }

    public boolean isVerbose() {
        return verbose;
    }

    public boolean isReasonMissing() {
        return reason == null || reason.isBlank();
    }

    public boolean hasCommandId() {
        return commandId != null;
    }

    /** Sends a request that is not a command but has an author. */
    public JsonNode post(RestPath path) {
        return api.connect().post(sign(path), Json.object());
    }

    /** Sends the request to delete what the path names, with its author. */
    public JsonNode delete(RestPath path) {
        return api.connect().delete(sign(path));
    }

    private RestPath sign(RestPath path) {
        return path.with("actor", actor).with("reason", reason);
    }

    /** Returns the parent and the open work of a stream; without open work if the stream no longer exists. */
    StreamView.Standing standing(String stream) {
        JsonNode detail = api.connectSilently().find(RestPath.of("v1", "streams", stream));
        return Json.as(detail.withObject("standing"), StreamView.Standing.class);
    }

    /** Returns the address of the application that the command means. */
    public ApiAddress address() {
        return api.address();
    }

    public OutputOptions output() {
        return output;
    }

    /** Sends the command, waits until it is done, and shows the result. */
    public int run(Supplier<CommandCall> call) {
        CommandCall sent = call.get();
        JsonNode result = send(sent, dryRun, id());
        output.print(
                result,
                CommandResultView.class,
                (terminal, view) ->
                        CommandTables.result(terminal, view, verbose, sent.where(), () -> showWayBack(terminal, view)));
        return OutputOptions.exitCode(result).code();
    }

    /** Shows below a delete how to bring its events back, and until when. */
    private void showWayBack(Terminal terminal, CommandResultView view) {
        if (view.result().dryRun() || view.outcome().deletions().eventsDeleted() == 0) {
            return;
        }
        String id = view.result().commandId();
        String known = "'ebb trash list' shows what of it can be undone, and until when.";
        try {
            for (JsonNode one :
                    api.connectSilently().get(RestPath.of("v1", "trash")).path("deletions")) {
                if (one.path("commandId").asText().equals(id)) {
                    known = "'ebb undo --command " + id + "' brings it back, until "
                            + one.path("firstUntil").asText() + ".";
                }
            }
        } catch (CommandFailure e) {
            // The delete is done all the same, and the list says it later.
        }
        terminal.out().println(CellText.safe(known));
    }

    /** Sends the command, waits until it is done, and returns the result without showing it. */
    public JsonNode carryOut(Supplier<CommandCall> call) {
        return send(call.get(), dryRun, id());
    }

    /** Sends another request, besides the command. */
    public JsonNode get(RestPath path) {
        return api.connectSilently().get(path);
    }

    /** Returns what the command does beyond Ebb, in sentences; empty if nothing. */
    List<String> tombstonesAhead(CommandCall call) {
        return TombstonesAhead.of(api.connectSilently(), call);
    }

    private String id() {
        return commandId == null ? UUID.randomUUID().toString() : commandId;
    }

    /** Returns the result of the command as a dry run, under a separate id. */
    public CommandResultView preview(CommandCall call) {
        JsonNode result = send(call, true, UUID.randomUUID().toString());
        output.noteMoments(result);
        return Json.as(result, CommandResultView.class);
    }

    private JsonNode send(CommandCall call, boolean isDryRun, String id) {
        RestPath path = call.path();
        path.with("commandId", id).with("actor", actor).with("reason", reason).withFlag("dryRun", isDryRun);
        return new CommandWatch(api.connectSilently(), output.terminal()).send(call, id);
    }
}
