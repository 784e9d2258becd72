package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Outcome.Extent;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.undo.NotReturned;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A script must not go on behind an undo that has brought nothing back (T-3). */
@Tag("T-3")
class UndoThatFindsNothingFailsTest {

    private static final String FOUND_NOTHING = "{\"commandId\":\"u\",\"verb\":\"undo\",\"state\":\"DONE\",\"detail\":"
            + "\"\",\"outcome\":{\"kind\":\"undone\",\"extent\":\"NOTHING\",\"events\":0,\"bytes\":0,\"streams\":0,\"executions\":0,"
            + "\"notReturned\":{},\"named\":[],\"streamNames\":[]}}";

    @RegisterExtension
    final FakeApi api = new FakeApi();

    /** The dry run says the same: what comes behind it must not begin. */
    @ParameterizedTest
    @ValueSource(strings = {"undo --command nope --reason x --yes", "undo --command nope --dry-run"})
    void shouldSaySoAndEndWithOne(String line) {
        // given
        api.otherwise(200, FOUND_NOTHING);

        // when
        CommandRun run = api.run(line.split(" "));

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).startsWith("No such delete can be undone; 'ebb trash list'");
    }

    /** One place decides: each reason, a new one as well, makes an undo incomplete, except a later form of the same id. */
    @Test
    void shouldTakeEachReasonForALoss() {
        assertThat(outcome(0, 0, Map.of()).extent()).isEqualTo(Extent.NOTHING);
        assertThat(outcome(0, 0, Map.of(NotReturned.EXPIRED, 3L)).extent()).isEqualTo(Extent.NOTHING);
        assertThat(outcome(0, 1, Map.of()).extent()).isEqualTo(Extent.ALL);
        assertThat(outcome(5, 0, Map.of()).extent()).isEqualTo(Extent.ALL);
        assertThat(Arrays.stream(NotReturned.values())).allSatisfy(reason -> assertThat(
                        outcome(5, 0, Map.of(reason, 1L)).extent())
                .isEqualTo(reason == NotReturned.SUPERSEDED ? Extent.ALL : Extent.PART));
    }

    private static Undone outcome(long events, long executions, Map<NotReturned, Long> left) {
        return new Undone(events, events, 1, executions, left, List.of());
    }
}
