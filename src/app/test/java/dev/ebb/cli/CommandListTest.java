package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.wire.commands.RunningCommandView;
import dev.ebb.wire.commands.RunningPage;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("O-20")
class CommandListTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldListRunningCommandsWithThoseWhoAskForThem() {
        // given
        Instant since = Instant.parse("2026-11-01T10:00:00Z");
        api.answer(
                "GET /v1/commands?limit=2",
                new RunningPage(
                        List.of(
                                new RunningCommandView(2, "c-1", "purge", "eva", true, since),
                                new RunningCommandView(0, "c-2", "erase", "", false, since)),
                        true,
                        List.of()));

        // when
        CommandRun run = api.run("command", "list", "--limit", "2");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("c-1", "purge, dry run", "eva", "c-2", "erase");
        assertThat(run.err()).contains("More commands run");
    }
}
