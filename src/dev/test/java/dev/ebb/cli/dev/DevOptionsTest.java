package dev.ebb.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DevOptionsTest {

    @TempDir
    private Path folder;

    @Test
    @Tag("M-11")
    void shouldNameEveryFaultOfPoliciesBeforeTheDemonstrationStarts() throws IOException {
        // given
        Path file = Files.writeString(
                folder.resolve("p.yaml"),
                "policies:\n - scope: galaxy:x\n - scope: '*'\n   maxAge: -1d\n   colour: red\n");

        // when
        CommandRun run = CommandRun.of(Map.of(), "", folder, "demo", "--once", "--policies", file.toString());

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("galaxy:x", "maxAge", "colour");
        assertThat(folder.resolve(".ebb")).doesNotExist();
    }

    @Test
    void shouldSayWhatIsWrongBeforeAnythingIsStarted() throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("file"), "x");

        // when
        CommandRun setting = CommandRun.of("dev", "--data", folder + "/data", "--set", "nonsense=1");
        CommandRun tls = CommandRun.of(
                "dev", "--data", folder + "/data", "--set", "api.tls.certificate=c", "--set", "api.tls.key=k");
        CommandRun data = CommandRun.of("dev", "--data", file.toString());
        CommandRun out = CommandRun.of("demo", "--once", "--out", file.toString());

        // then
        assertThat(List.of(setting, tls, data, out))
                .extracting(CommandRun::exitCode)
                .containsOnly(2);
        assertThat(setting.err()).contains("nonsense: is not a setting");
        assertThat(tls.err()).contains("'ebb dev' speaks plain HTTP");
        assertThat(data.err()).contains("--data", "is not a folder");
        assertThat(out.err()).contains("--out", "is not a folder");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "demo --out x | --once",
                "demo --once --interval never | --interval",
                "demo --once --events /no/such/file | does not exist"
            })
    void shouldRefuseNonsenseWithOneUsefulMessage(String command, String message) {
        // when
        CommandRun run = CommandRun.of(command.split(" "));

        // then
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(message).doesNotContain("\tat ");
        assertThat(run.out()).isEmpty();
    }
}
