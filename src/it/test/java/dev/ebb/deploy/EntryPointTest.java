package dev.ebb.deploy;

import static dev.ebb.deploy.YamlFiles.DOCKER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The entry point of the image, with a folder in place of the volume that containers share and a script in place of Java. */
@Timeout(30)
class EntryPointTest {

    private final List<Process> processes = new ArrayList<>();

    @TempDir
    private Path folder;

    private Path java;
    private Path volume;
    private String javaOptions = "";

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(Programs.isInstalled("flock"), "flock (util-linux) is not installed");
        volume = Files.createDirectory(folder.resolve("volume"));
        java = Files.createDirectories(folder.resolve("java/bin")).resolve("java");
        // As long as the process is there it holds what the entry point holds.
        inPlaceOfJava("echo \"$EBB_GROUP_INSTANCE_ID $EBB_STATE_DIR\"\nexec cat\n");
    }

    private void inPlaceOfJava(String script) throws IOException {
        Files.writeString(java, "#!/bin/sh\n" + script);
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void shouldGiveEachContainerTheFirstFolderThatIsFree() throws Exception {
        Process first = container("a", "run");
        Process second = container("b", "run");
        assertThat(said(first)).isEqualTo("ebb-1 " + volume + "/1/state");
        assertThat(said(second)).isEqualTo("ebb-2 " + volume + "/2/state");

        // when the first one ends, however it does
        first.destroyForcibly().waitFor();

        // then the next one has what it left, and the one after it another
        assertThat(said(container("c", "run"))).startsWith("ebb-1 ");
        assertThat(said(container("d", "run"))).startsWith("ebb-3 ");
    }

    @Test
    void shouldTellCommandsTheFolderOfTheirContainer() throws Exception {
        container("a", "run");
        String own = said(container("b", "run"));

        assertThat(said(container("b", "status"))).isEqualTo(own);
        // One that runs none takes none.
        assertThat(said(container("c", "topics", "create"))).startsWith("ebb-0 ");
        try (Stream<Path> folders = Files.list(volume)) {
            assertThat(folders).hasSize(2);
        }
    }

    /** Two collectors on one command line, and no container starts any more. */
    @Test
    void shouldStartJavaWithG1UnlessTheUserNamesAnotherCollector() throws Exception {
        Path real = Path.of(System.getProperty("java.home"), "bin/java");
        inPlaceOfJava("options=\nfor option; do [ \"$option\" = -cp ] && break; options=\"$options $option\"; done\n"
                + "exec " + real + " $options -XX:+PrintFlagsFinal -version\n");

        assertThat(flags(container("a", "run")))
                .containsEntry("UseG1GC", "true")
                .containsEntry("MaxTenuringThreshold", "2")
                .containsEntry("Tier4InvocationThreshold", "50000");
        javaOptions = "-XX:+UseSerialGC";
        assertThat(flags(container("b", "run")))
                .containsEntry("UseSerialGC", "true")
                .containsEntry("UseG1GC", "false");
    }

    /** Flags as a JVM prints them, {@code type name = value {where from}}, before it ends well. */
    private static Map<String, String> flags(Process process) throws Exception {
        Map<String, String> flags = new HashMap<>();
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.strip().split("\\s+", -1);
                if (words.length > 3 && words[2].equals("=")) {
                    flags.put(words[1], words[3]);
                }
            }
        }
        assertThat(process.waitFor()).isZero();
        return flags;
    }

    /** A process of the entry point in a container of that name; what is in {@code /tmp} is its own, the volume is not. */
    private Process container(String name, String... arguments) throws IOException {
        Path tmp = Files.createDirectories(folder.resolve(name));
        Path script = tmp.resolve("ebb");
        Files.writeString(
                script,
                YamlFiles.text(DOCKER.resolve("image/ebb"))
                        .replace("readonly data=/var/lib/ebb", "readonly data=" + volume)
                        .replace("readonly tmp=/tmp", "readonly tmp=" + tmp));
        List<String> command = new ArrayList<>(List.of("bash", script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("JAVA_HOME", java.getParent().getParent().toString());
        builder.environment().put("HOSTNAME", name);
        builder.environment().put("EBB_GROUP_INSTANCE_ID", "ebb-{number}");
        builder.environment().put("EBB_STATE_DIR", volume + "/{number}/state");
        builder.environment().put("EBB_JAVA_OPTS", javaOptions);
        Process process = builder.start();
        processes.add(process);
        if (List.of(arguments).contains("run")) {
            awaitNumber(tmp.resolve("ebb-number"));
        }
        return process;
    }

    private static void awaitNumber(Path file) throws IOException {
        while (!Files.exists(file) || Files.size(file) == 0) {
            try {
                TimeUnit.MILLISECONDS.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }

    private static String said(Process process) throws IOException {
        return process.inputReader(UTF_8).readLine();
    }
}
