package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.CommandRun;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb dev} as a person starts and stops it. */
@Tag("R-1")
@Timeout(300)
class DevCommandIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    @Test
    void shouldDoWithoutARegistry() throws Exception {
        // given
        Path data = folder.resolve("data");
        Process dev = start(data);
        try {
            Await.until("the stack is up", PATIENCE, () -> {
                assertThat(dev.isAlive()).as(output()).isTrue();
                return output().contains("Ctrl-C stops everything") ? "" : "so far: " + output();
            });
            Path settings = data.resolve("ebb.properties");

            // when: the line of the README, which names no stream
            CommandRun sent = CommandRun.of(
                    Map.of(),
                    "{\"id\":\"o-2\",\"type\":\"order\",\"payload\":{\"total\":7}}\n",
                    folder,
                    "produce",
                    "-k",
                    "orders/1",
                    "-f",
                    "-",
                    "--config",
                    settings.toString());

            // then
            assertThat(sent.exitCode()).as(sent.toString()).isZero();
            assertThat(output()).contains("PostgreSQL", "kcat -P").doesNotContain("Schema registry");
            assertThat(settings).content().contains("schema.registry.url=\n");
            Await.until("the event is stored", PATIENCE, () -> {
                CommandRun list = CommandRun.of("event", "list", "orders/1", "--config", settings.toString());
                return list.out().contains("o-2") ? "" : list.toString();
            });
        } finally {
            // Unlike Ctrl-C this is heard as well where the tests run in the background.
            Signals.send("TERM", dev.pid());
        }
        assertThat(dev.waitFor(60, TimeUnit.SECONDS)).as(output()).isTrue();
        assertThat(output()).contains("the data is in").doesNotContain("without having been stopped");
        assertThat(data.resolve(Service.REGISTRY.label())).doesNotExist();
    }

    private Process start(Path data) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // As the launcher does.
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Debb.home="
                                + System.getProperty(
                                        "ebb.home", Path.of("").toAbsolutePath().toString()),
                        "dev.ebb.cli.Main",
                        "dev",
                        "--no-registry",
                        "--data",
                        data.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }
}
