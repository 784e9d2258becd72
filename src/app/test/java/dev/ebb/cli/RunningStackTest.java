package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.stacks.StackNote;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands reach a stack that the user runs, with any data folder and any ports. */
@Tag("O-16")
final class RunningStackTest {

    @TempDir
    private Path home;

    private Map<String, String> environment;

    @BeforeEach
    void setUp() {
        environment = Map.of("HOME", home.toString());
    }

    @Test
    void shouldAskTheOnlyStackOfTheUser() throws IOException {
        try (FakeApi api = new FakeApi();
                StackNote stack = StackNote.of(environment, home.resolve("data"), listen(api))) {
            status(environment);

            assertThat(api.requests()).isNotEmpty();
        }
    }

    @Test
    void shouldPreferTheStackInTheUsualFolder() throws IOException {
        try (FakeApi usual = new FakeApi();
                FakeApi elsewhere = new FakeApi();
                StackNote one = StackNote.of(environment, home.resolve(".ebb/dev"), listen(usual));
                StackNote other = StackNote.of(environment, home.resolve("data"), listen(elsewhere))) {
            status(environment);

            assertThat(usual.requests()).isNotEmpty();
            assertThat(elsewhere.requests()).isEmpty();
        }
    }

    @Test
    void shouldAskForOneOfSeveralStacks() throws IOException {
        Path one = home.resolve("one data");
        Path other = home.resolve("other");
        try (StackNote first = StackNote.of(environment, one, "");
                StackNote second = StackNote.of(environment, other, "")) {
            CommandRun run = status(environment);

            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err())
                    .contains("2 stacks run here")
                    .contains("--config '" + one.resolve("ebb.properties") + "'")
                    .contains("--config " + other.resolve("ebb.properties"));
        }
    }

    @Test
    void shouldLeaveAStackAloneWhenTheAddressIsGiven() throws IOException {
        try (FakeApi meant = new FakeApi();
                FakeApi api = new FakeApi();
                StackNote stack = StackNote.of(environment, home.resolve("data"), listen(api))) {
            Map<String, String> elsewhere = new HashMap<>(environment);
            elsewhere.put("EBB_API_LISTEN", address(meant));
            status(elsewhere);

            assertThat(meant.requests()).isNotEmpty();
            assertThat(api.requests()).isEmpty();
        }
    }

    private CommandRun status(Map<String, String> variables) {
        return CommandRun.of(variables, "", home, "status");
    }

    private static String listen(FakeApi api) {
        return "api.listen=" + address(api) + "\n";
    }

    private static String address(FakeApi api) {
        return api.url().replaceFirst("^http://", "");
    }
}
