package dev.ebb.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.cli.CommandRun;
import dev.ebb.devstack.ClassArchives;
import dev.ebb.devstack.process.Distribution;
import dev.ebb.devstack.process.Service;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** One of several instances, {@code ebb run} in a process of its own; state and log stay over its starts. */
final class InstanceProcess {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String name;
    private final Path folder;
    private final List<String> arguments = new ArrayList<>();
    private final int port;
    private Process process;
    private String token;

    /**
     * @param name its name in the group
     * @param folder for state and log, of its own
     * @param settings settings of the stack
     * @param shared settings that all instances of the test have
     */
    InstanceProcess(String name, Path folder, Path settings, Map<String, String> shared) throws IOException {
        this.name = name;
        this.folder = Files.createDirectories(folder);
        try (ServerSocket free = new ServerSocket(0)) {
            this.port = free.getLocalPort();
        }
        Map<String, String> all = new TreeMap<>(shared);
        all.put("group.instance.id", name);
        all.put("state.dir", state().toString());
        all.put("api.listen", "127.0.0.1:" + port);
        arguments.addAll(List.of("--config", settings.toString()));
        all.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
    }

    /** Starts the installed application; returns at once. */
    InstanceProcess start() throws IOException {
        return start(Distribution.locate().applicationJar());
    }

    /**
     * Returns at once.
     *
     * @param jar of an application, with all it needs
     */
    InstanceProcess start(Path jar) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
        command.addAll(ClassArchives.options(Service.APP));
        command.addAll(List.of("-cp", jar.toString(), "dev.ebb.cli.Main", "run"));
        command.addAll(arguments);
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                .start();
        return this;
    }

    /** Asks from now on with that token. */
    InstanceProcess as(String newToken) {
        token = newToken;
        return this;
    }

    /** As an orchestrator does, with SIGTERM; returns when it has ended. */
    void stop() throws InterruptedException {
        process.destroy();
        awaitEnd();
    }

    void kill() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    /** Kills it, if it was started at all, and returns when it has ended. */
    void end() throws InterruptedException {
        kill();
        if (process != null) {
            awaitEnd();
        }
    }

    boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Returns how it ended. */
    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError(name + " does not end");
        }
        return process.exitValue();
    }

    void awaitReady() throws InterruptedException {
        Await.until(name + " is ready", () -> {
            if (!process.isAlive()) {
                throw new AssertionError(name + " ended with " + process.exitValue() + ":\n" + log());
            }
            return get("/health/ready").statusCode() == 200
                    ? ""
                    : get("/health/ready").body();
        });
    }

    void awaitPartitions(int count) throws InterruptedException {
        Await.until(name + " has " + count + " partitions", () -> {
            Set<Integer> now = partitions();
            return now.size() == count && get("/health/ready").statusCode() == 200 ? "" : "it has " + now;
        });
    }

    /** The partitions that it keeps. */
    Set<Integer> partitions() throws IOException, InterruptedException {
        Set<Integer> kept = new TreeSet<>();
        StreamSupport.stream(status().path("partitions").spliterator(), false)
                .forEach(partition -> kept.add(partition.path("partition").asInt()));
        return kept;
    }

    JsonNode status() throws IOException, InterruptedException {
        return json("/v1/status");
    }

    JsonNode json(String path) throws IOException, InterruptedException {
        return JSON.readTree(get(path).body());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(request(path).GET().build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return http.send(request(path).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> put(String path, String body) throws IOException, InterruptedException {
        return http.send(request(path).PUT(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> delete(String path) throws IOException, InterruptedException {
        return http.send(request(path).DELETE().build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(40));
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    /** A command line against this instance. */
    CommandRun run(String... args) {
        return CommandRun.of(
                Stream.concat(Stream.of(args), Stream.of("--api", url())).toArray(String[]::new));
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    Path state() {
        return folder.resolve("state");
    }

    String log() throws IOException {
        return Files.exists(logFile()) ? Files.readString(logFile()) : "";
    }

    /** Number of lines of its log with that text. */
    long logged(String text) throws IOException {
        return log().lines().filter(line -> line.contains(text)).count();
    }

    private Path logFile() {
        return folder.resolve(name + ".log");
    }
}
