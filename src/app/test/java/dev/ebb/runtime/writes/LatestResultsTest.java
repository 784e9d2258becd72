package dev.ebb.runtime.writes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.CommandDesk.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("O-11")
@Timeout(30)
public class LatestResultsTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final LatestResults results = new LatestResults(10);

    @Test
    void shouldWaitForTheFinalWord() throws Exception {
        // given
        var waiting = CompletableFuture.supplyAsync(() -> results.await("c-1", LONG));

        // when
        results.put(result("c-1", State.RUNNING, 0), 0);
        results.put(result("c-2", State.DONE, 0), 0);
        results.put(result("c-1", State.DONE, 0), 0);

        // then
        assertThat(waiting.get(20, TimeUnit.SECONDS)).contains(result("c-1", State.DONE, 0));
    }

    @Test
    @Tag("A-16")
    void shouldWaitUntilSomethingIsSo() throws Exception {
        // given
        var waiting = CompletableFuture.supplyAsync(() -> results.awaitUntil(
                () -> results.find("c-1").isPresent() && results.find("c-2").isPresent(), LONG));

        // when
        results.put(result("c-1", State.DONE, 0), 0);
        results.putIfAbsent(result("c-2", State.RUNNING, 0));

        // then
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(results.awaitUntil(() -> false, Duration.ofMillis(1))).isFalse();

        // when
        var closed = CompletableFuture.supplyAsync(() -> results.awaitUntil(() -> false, LONG));
        results.close();

        // then
        assertThat(closed.get(20, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void shouldTellNewsWhenTheTimeIsOver() {
        // given
        results.put(result("c-1", State.RUNNING, 0), 0);

        // then
        assertThat(results.await("c-1", Duration.ofMillis(1))).contains(result("c-1", State.RUNNING, 0));
        assertThat(results.await("c-2", Duration.ZERO)).isEmpty();
    }

    @Test
    void shouldNotForgetAFinalWordForNews() {
        // when
        results.put(result("c-1", State.REFUSED, 0), 0);
        results.put(result("c-1", State.RUNNING, 0), 0);
        results.putIfAbsent(result("c-1", State.RUNNING, 0));

        // then
        assertThat(results.find("c-1")).map(CommandResult::state).contains(State.REFUSED);
    }

    /** The same command may be sent again under its id, and is then as good as new. */
    @Test
    void shouldForgetThatThereWasNoRoom() {
        // given
        results.put(busy("c-1"), 2);
        assertThat(report("c-1").partition()).hasValue(2);

        // when
        results.putIfAbsent(result("c-1", State.RUNNING, 0));

        // then
        assertThat(results.find("c-1")).map(CommandResult::state).contains(State.RUNNING);
        assertThat(report("c-1").partition()).isEmpty();

        // when
        results.put(busy("c-1"), 2);
        results.put(result("c-1", State.RUNNING, 0), 2);

        // then
        assertThat(results.find("c-1")).map(CommandResult::state).contains(State.RUNNING);
    }

    @Test
    void shouldSettleAResultThatWasNotConfirmed() {
        // given
        results.put(result("c-1", State.DONE, 3), 1);

        // when
        assertThat(results.settle(report("c-1"), 3, result("c-1", State.RUNNING, 0)))
                .isTrue();

        // then
        assertThat(results.find("c-1")).map(CommandResult::state).contains(State.RUNNING);
        assertThat(report("c-1").partition()).hasValue(3);

        // when
        assertThat(results.settle(report("c-1"), 3, null)).isTrue();

        // then
        assertThat(results.find("c-1")).isEmpty();
    }

    /** A question to the partitions takes time, and the true outcome may come in between, for the only time. */
    @Test
    void shouldNotLetADeniedReportTakeTheTrueOneWithIt() {
        // given
        results.put(result("c-1", State.DONE, 3), 1);
        Report forged = report("c-1");

        // when
        results.put(result("c-1", State.DONE, 0), 0);

        // then
        assertThat(results.settle(forged, 0, null)).isFalse();
        assertThat(results.settle(forged, 0, result("c-1", State.RUNNING, 0))).isFalse();
        assertThat(results.find("c-1")).contains(result("c-1", State.DONE, 0));
    }

    private Report report(String commandId) {
        return results.report(commandId, Duration.ZERO).orElseThrow();
    }

    @Test
    void shouldTellOfFinalResults() {
        // given
        List<String> told = new ArrayList<>();
        results.whenFinal(told::add);

        // when
        results.put(result("c-1", State.RUNNING, 0), 0);
        results.put(result("c-2", State.REFUSED, 0), 0);

        // then
        assertThat(told).containsExactly("c-2");
    }

    private static CommandResult busy(String id) {
        return new CommandResult(id, "sweep", State.REFUSED, Refusal.BUSY, "", false, Outcome.nothing(), 1, "");
    }

    @Test
    void shouldForgetTheOldestFirstAndCountParts() {
        // when: weights of 1, 1 and 9
        results.put(result("c-1", State.DONE, 0), 0);
        results.put(result("c-2", State.DONE, 0), 0);
        results.put(result("c-3", State.DONE, 8), 0);

        // then
        assertThat(results.find("c-1")).isEmpty();
        assertThat(results.find("c-2")).isPresent();
        assertThat(results.find("c-3")).isPresent();
    }

    @Test
    void shouldKeepOneThatIsBiggerThanAllTogetherMayBe() {
        // when
        results.put(result("c-1", State.DONE, 100), 0);

        // then
        assertThat(results.find("c-1")).isPresent();
    }

    @Test
    void shouldLetAllCallersGoWhenClosed() throws Exception {
        // given
        var waiting = CompletableFuture.supplyAsync(() -> results.await("c-1", LONG));

        // when
        results.close();

        // then
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(Optional.empty());
    }

    public static CommandResult result(String id, State state, int parts) {
        Part part = new Part("a", RemovalCause.TTL, 1, 1);
        Outcome.Parts all = new Outcome.Parts(Collections.nCopies(parts, part), 0, List.of());
        Outcome swept = new Outcome.Swept(Outcome.Deleted.NOTHING, all, Instant.EPOCH, 1);
        return new CommandResult(id, "sweep", state, null, "", false, swept, 1, "");
    }
}
