package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.TimeText;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.VerifyTable;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.instance.VerificationView;
import dev.ebb.wire.instance.VerificationView.Result;
import dev.ebb.wire.instance.VerificationView.State;
import dev.ebb.wire.instance.VerificationView.Verdict;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "verify",
        description = {
            "Compares the stores with the tables event and execution of the SQL mirror, and names every row that differs.",
            "Compares counts and hashes by stream and month first, and rows only where these differ. Events may flow"
                    + " meanwhile: a row that is still on its way to SQL is checked again after it arrives, and is no"
                    + " difference.",
            "The answer tells when both sides were read, and how many streams and months were compared; rows that the"
                    + " database refuses are named with the reason.",
            "Exit code 0 if both are equal (or were repaired), 3 if they differ or the database refuses rows, 4 if SQL"
                    + " did not catch up."
        },
        footer = {"  ebb verify", "  ebb verify --repair --reason 'rows were deleted by hand'", "  ebb verify -o json"})
public final class VerifyCommand extends ApiCommand {

    private static final long LOOK_EVERY_MS = 250;

    @Option(
            names = "--repair",
            description = {
                "Have the partitions send differing rows again: rows as they are stored, and deletes for rows"
                        + " without an event or execution in the stores. Changes no store."
            })
    private boolean repair;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "1m",
            description = "Longest wait for the mirror, or for a partition that moves. Default: ${DEFAULT-VALUE}.")
    private String wait;

    @Mixin
    private AuthorOptions author;

    @Override
    public Integer call() {
        if (!repair && author.reason() != null) {
            throw CommandFailure.usage("--reason is for --repair; without it nothing is changed");
        }
        TimeText.durationMs("--wait", wait);
        RestApi connected = api.connectSilently();
        RestPath path = repair ? author.sign(RestPath.of("v1", "verify", "repair")) : RestPath.of("v1", "verify");
        JsonNode ended = ended(connected, connected.post(path.with("wait", wait)));
        VerificationView view = Json.as(ended, VerificationView.class);
        Result result = view.result();
        if (result == null) {
            ExitCode why = view.state() == State.NOT_READY ? ExitCode.NOT_READY : ExitCode.FAILED;
            throw new CommandFailure(why, view.detail());
        }
        output.print(ended.path("result"), terminal -> VerifyTable.print(terminal, result));
        return exitCode(result.verdict()).code();
    }

    /** Shows the progress until the comparison has ended; it goes on without this command. */
    private JsonNode ended(RestApi connected, JsonNode begun) {
        VerificationView view = Json.as(begun, VerificationView.class);
        AtomicReference<String> shown = new AtomicReference<>(progress(view));
        RestPath path = RestPath.of("v1", "verify", view.id());
        try (Progress progress = Progress.saying(output.terminal(), shown::get)) {
            JsonNode answer = begun;
            while (view.state() == State.RUNNING) {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
                answer = connected.get(path);
                view = Json.as(answer, VerificationView.class);
                shown.set(progress(view));
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted", e);
        }
    }

    /**
     * Returns the progress as a text, without the differences, which follow at the end: until then SQL may just lack
     * the latest rows.
     */
    static String progress(VerificationView view) {
        String compared = view.doing() + "; " + Texts.counted(view.streams(), "stream") + " compared";
        return view.differences() == 0
                ? compared
                : compared + ", " + Texts.counted(view.differences(), "difference") + " so far";
    }

    private static ExitCode exitCode(Verdict verdict) {
        return switch (verdict) {
            case EQUAL -> ExitCode.OK;
            case DIFFERENT -> ExitCode.DIFFERENCES;
            case BEHIND -> ExitCode.NOT_READY;
        };
    }
}
