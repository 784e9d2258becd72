package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.policy.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-16")
@Tag("M-18")
class HoldFenceTest {

    private final Map<String, CommandResult> results = new HashMap<>();

    @Test
    void shouldWaitUntilEveryPartitionHasConfirmedThatVersion() {
        assertThat(areAll(5)).isFalse();

        confirm(0, 5);
        assertThat(areAll(5)).isFalse();

        confirm(1, 4);
        assertThat(areAll(5)).isFalse();

        confirm(1, 5);
        assertThat(areAll(5)).isTrue();
        assertThat(areAll(6)).isFalse();
    }

    @Test
    void shouldConfirmAHoldOnceAndKeepItsFenceOverARestart() {
        try (TopologyFixture fixture = TopologyFixture.inMemory()) {
            // given
            fixture.hold("LIT-1", Scope.namespace("a"));
            fixture.settleFor(3);
            List<CommandResult> confirmed = confirmations(fixture);
            assertThat(confirmed).hasSize(1);

            // when
            fixture.restart();
            fixture.settleFor(3);

            // then
            assertThat(confirmations(fixture)).isEqualTo(confirmed);
        }
    }

    private static List<CommandResult> confirmations(TopologyFixture fixture) {
        return fixture.results.stream()
                .filter(result -> result.verb().equals(HoldConfirmations.VERB))
                .toList();
    }

    private boolean areAll(long version) {
        return HoldConfirmations.areAll(version, 2, id -> Optional.ofNullable(results.get(id)));
    }

    private void confirm(int partition, long version) {
        String id = HoldConfirmations.idOf(partition);
        results.put(
                id,
                new CommandResult(
                        id,
                        HoldConfirmations.VERB,
                        CommandResult.State.DONE,
                        null,
                        "",
                        false,
                        CommandCounts.NOTHING,
                        List.of(),
                        null,
                        version,
                        1,
                        1));
    }
}
