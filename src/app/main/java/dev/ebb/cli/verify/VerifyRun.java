package dev.ebb.cli.verify;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One comparison of all that is stored with all that SQL has, from the outside.
 *
 * @param view the result, as programs read it
 * @param exitCode equal, different, or not to be told yet
 */
public record VerifyRun(ObjectNode view, ExitCode exitCode) {

    /** Most differences that are named one by one; the rest is counted, and repaired as well. */
    public static final int MOST_NAMED = 100_000;

    /**
     * Compares.
     *
     * @param terminal where it is shown that it goes on
     * @param wait how long the mirror is waited for where something differs
     * @param repairs carries repairs out; without one nothing is repaired
     */
    public static VerifyRun of(RestApi api, Terminal terminal, Duration wait, Repairs repairs) {
        Findings findings = new Findings(MOST_NAMED);
        RestSides sides = new RestSides(api, repairs);
        Verification verification = new Verification(sides, VerifyRun::sleep, wait, repairs.isWanted(), findings);
        try (Progress progress = Progress.saying(terminal, () -> progress(verification.doing(), findings))) {
            verification.run();
        }
        return new VerifyRun(findings.view(repairs.isWanted()), findings.exitCode());
    }

    /** Progress as a text; the differences themselves follow at the end: before, SQL may just not have the rows yet. */
    static String progress(String doing, Findings findings) {
        String compared = doing + "; " + Texts.counted(findings.streams(), "stream") + " compared";
        return findings.differences() == 0
                ? compared
                : compared + ", " + Texts.counted(findings.differences(), "difference") + " so far";
    }

    private static void sleep(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted", e);
        }
    }
}
