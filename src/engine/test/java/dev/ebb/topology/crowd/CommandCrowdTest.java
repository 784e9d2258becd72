package dev.ebb.topology.crowd;

import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-11")
class CommandCrowdTest {

    private final CommandCrowd crowd = new CommandCrowd(new CrowdLimits(6, 8), "partition 3");

    @ParameterizedTest
    @CsvSource({"2, true", "3, false", "4, false"})
    void shouldLetOneCallerHaveHalfOfTheBulkCommands(int before, boolean isLetIn) {
        // given
        enter(before, true, "anna");

        // then
        assertThat(crowd.problem(bulk("next"), "anna", 10) == null).isEqualTo(isLetIn);
        assertThat(crowd.problem(bulk("next"), "otto", 10)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"5, true", "6, false", "7, false"})
    void shouldLimitTheBulkCommandsOfAllCallers(int before, boolean isLetIn) {
        // given
        for (int i = 0; i < before; i++) {
            crowd.enter(bulk("c-" + i), "caller" + i, 10);
        }

        // then
        assertThat(crowd.problem(bulk("next"), "otto", 10) == null).isEqualTo(isLetIn);
    }

    @Test
    void shouldCountCommandsOnASingleStreamByThemselves() {
        // given
        enter(6, true, "anna");
        enter(3, false, "anna");

        // then
        assertThat(crowd.problem(single("next"), "anna", 10)).isNull();

        // when
        crowd.enter(single("last"), "anna", 10);

        // then
        assertThat(crowd.problem(single("next"), "anna", 10))
                .isEqualTo("'anna' already has 4 unfinished commands on a single stream in partition 3; send it again,"
                        + " under the same id, when one of them has ended");
        assertThat(crowd.bulk()).isEqualTo(6);
        assertThat(crowd.single()).isEqualTo(4);
    }

    @Test
    void shouldHaveRoomAgainWhenOneHasLeft() {
        // given
        enter(3, true, "anna");
        assertThat(crowd.problem(bulk("next"), "anna", 10)).isNotNull();

        // when
        crowd.leave("b-1");
        crowd.leave("b-1");
        crowd.leave("unknown");

        // then
        assertThat(crowd.problem(bulk("next"), "anna", 10)).isNull();
        assertThat(crowd.bulk()).isEqualTo(2);
    }

    @Test
    void shouldCountACommandThatComesAgainOnce() {
        // given
        enter(3, true, "anna");

        // when
        crowd.enter(bulk("b-1"), "anna", 10);

        // then
        assertThat(crowd.bulk()).isEqualTo(3);
        assertThat(crowd.problem(bulk("b-1"), "anna", 10)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    void shouldLimitTheBytesOfAll(int more, boolean isLetIn) {
        // given
        crowd.enter(bulk("big"), "anna", CrowdLimits.MAX_BYTES - 100);

        // then
        assertThat(crowd.problem(bulk("next"), "otto", 100 + more) == null).isEqualTo(isLetIn);
        assertThat(crowd.problem(single("next"), "otto", 100 + more)).isNull();
    }

    @Test
    void shouldLetASingleCommandOfAnySizeIn() {
        assertThat(crowd.problem(bulk("big"), "anna", CrowdLimits.MAX_BYTES + 1))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1"})
    void shouldRefuseLimitsThatLeaveACallerNothing(int bulk, int single) {
        assertThatThrownBy(() -> new CrowdLimits(bulk, single)).isInstanceOf(IllegalArgumentException.class);
    }

    private void enter(int count, boolean isBulk, String caller) {
        for (int i = 0; i < count; i++) {
            crowd.enter(isBulk ? bulk("b-" + i) : single("s-" + i), caller, 10);
        }
    }

    private static CommandRequest bulk(String id) {
        return request(id, new Command.SweepNow(Scope.ALL, null));
    }

    private static CommandRequest single(String id) {
        return request(id, new Command.DeleteStream(new StreamName("orders/1"), false));
    }
}
