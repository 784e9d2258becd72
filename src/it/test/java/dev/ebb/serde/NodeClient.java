package dev.ebb.serde;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A program in another language, with a Kafka client and a registry client of its own: kafkajs on Node. */
public final class NodeClient {

    private static final Logger LOG = LoggerFactory.getLogger(NodeClient.class);

    private static final Path SOURCE = Path.of("src/it/test/node");
    private static final List<String> FILES =
            List.of("package.json", "package-lock.json", ".npmrc", "produce.js", "produce-json.js");
    private static final int MAX_MINUTES = 3;

    private final ObjectMapper json = new ObjectMapper();
    private final Path folder;

    private NodeClient(Path folder) {
        this.folder = folder;
    }

    /** The client with its packages; where Node, npm or the packages cannot be had, the test is skipped and says so. */
    public static NodeClient orSkip() throws IOException, InterruptedException {
        for (String program : List.of("node", "npm")) {
            skipUnless(isThere(program), "there is no '" + program + "' on the path");
        }
        NodeClient client = new NodeClient(Path.of("target", "node"));
        String problem = client.install();
        skipUnless(problem.isEmpty(), "npm cannot fetch its packages: " + problem);
        return client;
    }

    /** Surefire keeps the reason in its report; the log shows it to readers of the build. */
    private static void skipUnless(boolean isMet, String reason) {
        if (!isMet) {
            LOG.atWarn().addKeyValue("reason", reason).log("SKIPPED: no client in another language is tried");
        }
        Assumptions.assumeTrue(isMet, "SKIPPED: no client in another language is tried, since " + reason);
    }

    /** A record for {@link #produce}, written with the newest schema of its subject. */
    public static Map<String, Object> record(String topic, String key, String subject, Map<String, ?> value) {
        return Map.of("topic", topic, "key", key, "subject", subject, "value", value);
    }

    /** Sends the records in their order and returns when the broker has them all. */
    public void produce(String bootstrapServers, String registryUrl, List<Map<String, Object>> records)
            throws IOException, InterruptedException {
        send(records, "node", "produce.js", bootstrapServers, registryUrl);
    }

    /** Sends records of a topic, a key, headers and a value as JSON, without a registry, like {@link #produce}. */
    public void produceJson(String bootstrapServers, List<Map<String, Object>> records)
            throws IOException, InterruptedException {
        send(records, "node", "produce-json.js", bootstrapServers);
    }

    private void send(List<Map<String, Object>> records, String... command) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        for (Map<String, Object> record : records) {
            lines.add(json.writeValueAsString(record));
        }
        Path input = folder.resolve("records.jsonl");
        Files.write(input, lines);
        assertThat(run(input, command)).as("what the foreign client says").isEmpty();
    }

    private String install() throws IOException, InterruptedException {
        Files.createDirectories(folder);
        for (String file : FILES) {
            Files.copy(SOURCE.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        return isInstalled()
                ? ""
                : run(null, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
    }

    /** npm writes its own lock file beside the packages when it is done. */
    private boolean isInstalled() throws IOException {
        Path installed = folder.resolve("node_modules/.package-lock.json");
        return Files.exists(installed)
                && Files.getLastModifiedTime(installed)
                                .compareTo(Files.getLastModifiedTime(SOURCE.resolve("package-lock.json")))
                        > 0;
    }

    /** Output of the program if it fails; empty if it does not. */
    private String run(Path input, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        if (input != null) {
            builder.redirectInput(input.toFile());
        }
        Process process = builder.start();
        boolean hasEnded = process.waitFor(MAX_MINUTES, TimeUnit.MINUTES);
        process.destroyForcibly();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        Files.delete(output);
        return hasEnded && process.exitValue() == 0 ? "" : Arrays.toString(command) + ": " + said;
    }

    private static boolean isThere(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
