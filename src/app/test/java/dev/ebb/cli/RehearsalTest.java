package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** */
class RehearsalTest {

    /** What an instance needs, and a command that asks one does not. */
    private static final List<String> INSTANCE = List.of(
            "org.apache.kafka.",
            "org.apache.avro.",
            "org.apache.flink.",
            "org.rocksdb.",
            "io.javalin.",
            "org.eclipse.jetty.",
            "org.flywaydb.",
            "org.postgresql.",
            "io.prometheus.",
            "ch.qos.logback.classic.LoggerContext",
            "dev.ebb.topology.",
            "dev.ebb.store.",
            "dev.ebb.runtime.");

    @TempDir
    private Path folder;

    @Test
    void shouldCallEachCommandThatAsksRest() {
        // given
        StringWriter text = new StringWriter();
        CommandEnvironment context = new CommandEnvironment(
                terminal(text), InputStream.nullInputStream(), Map.of(), Path.of("target", "no-home"));
        List<String> asking = new ArrayList<>();

        // when
        collect(EbbCommandLine.create(context), "", asking);

        // then
        assertThat(asking).isNotEmpty().allSatisfy(name -> assertThat(Rehearsal.CALLS)
                .as("one call of ebb %s", name)
                .filteredOn(call -> call.equals(name) || call.startsWith(name + " "))
                .isNotEmpty());
    }

    @Test
    void shouldCallNoneWrongly() throws IOException {
        // given
        StringWriter text = new StringWriter();

        // when
        List<String> wrong = Rehearsal.perform(terminal(text));

        // then
        assertThat(wrong).as(text.toString()).isEmpty();
        // rows as well, since they are most of what a list loads
        assertThat(text.toString())
                .contains("NAMESPACE  STREAMS", "123,456", "120.6 KiB")
                .doesNotContain("See 'ebb ", "is missing")
                .doesNotContain("--debug shows where");
    }

    @Test
    void shouldLoadNothingOfAnInstanceWhereRestIsAsked() throws IOException, InterruptedException {
        // given
        Path log = folder.resolve("classes");
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-Xlog:class+load:file=" + log,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Rehearsal.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();

        // when
        boolean hasEnded = process.waitFor(60, TimeUnit.SECONDS);

        // then
        assertThat(hasEnded).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(folder.resolve("output")).isEmptyFile();
        try (Stream<String> lines = Files.lines(log)) {
            List<String> loaded = lines.map(
                            line -> line.substring(line.indexOf("] ") + 2).strip())
                    .toList();
            assertThat(loaded).anyMatch(name -> name.startsWith("dev.ebb.cli.insight.StatusCommand "));
            assertThat(loaded.stream().filter(name -> INSTANCE.stream().anyMatch(name::startsWith)))
                    .isEmpty();
        }
    }

    private static void collect(CommandLine line, String path, List<String> asking) {
        if (line.getCommandSpec().findOption("--api") != null) {
            asking.add(path.strip());
        }
        line.getSubcommands().forEach((name, sub) -> collect(sub, path + " " + name, asking));
    }

    private static Terminal terminal(StringWriter text) {
        PrintWriter writer = new PrintWriter(text);
        return Terminal.plain(writer, writer);
    }
}
