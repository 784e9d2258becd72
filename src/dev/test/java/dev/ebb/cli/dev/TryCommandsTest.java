package dev.ebb.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.options.ShellWord;
import dev.ebb.stacks.Endpoints;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines that {@code ebb dev} prints do what they say when a shell gets them as they are. */
final class TryCommandsTest {

    @TempDir
    private Path folder;

    /** A program of that name shows what it was called with, and its input. */
    @ParameterizedTest
    @ValueSource(strings = {"ebb", "it's ebb & co"})
    void shouldBeTakenByAShellAsTheyAre(String name) throws IOException, InterruptedException {
        // given
        Path ebb = program(folder.resolve(name));
        program(folder.resolve("psql"));
        program(folder.resolve("kcat"));
        Path config = folder.resolve("my data").resolve("ebb.properties");
        Map<String, String> tries =
                new TryCommands(ShellWord.of(ebb.toString()), config, folder.resolve("my pgpass")).of(endpoints());

        // when, then
        assertThat(tries).hasSize(5);
        assertThat(shell(tries.get("send an event")))
                .contains("[produce][-f][-][--config][" + config + "]", "\"stream\":\"orders/eu-1\"");
        assertThat(shell(tries.get("or with kcat, or any client")))
                .contains(
                        "[-P][-b][127.0.0.1:19092][-X][partitioner=murmur2_random][-t][ebb.events][-k][orders/eu-1]",
                        "\"id\":\"o-2\"");
        assertThat(shell(tries.get("say how long they live")))
                .contains("[policy][set][namespace:orders][--max-age][30s][--config][" + config + "]");
        assertThat(shell(tries.get("see the status"))).contains("[status][--config][" + config + "]");
        assertThat(shell(tries.get("ask PostgreSQL")))
                .contains("[postgresql://ebb@127.0.0.1:15432/ebb][-c]", "passwords in " + folder.resolve("my pgpass"))
                .doesNotContain("geheim");
    }

    @Test
    void shouldNameNoFileThatCommandsFindThemselves() {
        assertThat(new TryCommands("ebb", null, folder).of(endpoints()).values())
                .noneMatch(line -> line.contains("--config"));
    }

    private static Endpoints endpoints() {
        return new Endpoints(
                "127.0.0.1:19092",
                "http://127.0.0.1:18081",
                "http://127.0.0.1:18083",
                "jdbc:postgresql://127.0.0.1:15432/ebb",
                "ebb",
                "geheim",
                Path.of("/data/password"),
                "http://127.0.0.1:18480");
    }

    private static Path program(Path file) throws IOException {
        Files.writeString(file, """
            #!/bin/sh
            printf '[%s]' "$@"
            echo " passwords in $PGPASSFILE"
            cat
            """);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private String shell(String line) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", line).redirectErrorStream(true);
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
