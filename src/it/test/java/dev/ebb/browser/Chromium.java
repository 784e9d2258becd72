package dev.ebb.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Chromium without a window, with a profile of its own. Close it to end its processes. */
public final class Chromium implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern LISTENING = Pattern.compile("ws://([\\d.]+:\\d+)/");
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    private final Process process;
    private final Path errors;
    private final Thread logging;
    private final HttpClient http = HttpClient.newHttpClient();
    private final String address;

    private Chromium(Process process, Path errors, BufferedReader output, String address) {
        this.process = process;
        this.errors = errors;
        this.address = address;
        this.logging = new Thread(() -> log(output, errors), "chromium-log");
        logging.setDaemon(true);
        logging.start();
    }

    /** The program on this machine; the variable CHROMIUM names another one. */
    public static Optional<Path> program() {
        String named = System.getenv("CHROMIUM");
        if (named != null && !named.isBlank()) {
            return Optional.of(Path.of(named));
        }
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Returns when it can be talked to.
     *
     * @param folder for its profile and its log
     */
    public static Chromium start(Path program, Path folder) throws IOException, InterruptedException {
        Path errors = Files.createDirectories(folder).resolve("chromium.log");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless=new",
                        // A container has no namespaces for it, and only pages of the tests are opened.
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--disable-component-update",
                        // A process for each page that is opened would take longer than the page: one is for all.
                        "--renderer-process-limit=1",
                        "--disable-site-isolation-trials",
                        "--disable-features=SpareRendererForSitePerProcess,BackForwardCache",
                        "--no-first-run",
                        "--lang=en-GB",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder.resolve("profile").toAbsolutePath(),
                        "about:blank")
                .redirectErrorStream(true)
                .start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.ISO_8859_1));
        return new Chromium(process, errors, output, address(process, output));
    }

    /** A new tab, at a page of that size in CSS pixels. */
    public BrowserTab tab(int width, int height) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/json/new?about:blank"))
                .method("PUT", BodyPublishers.noBody())
                .build();
        JsonNode target =
                JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
        BrowserTab tab = new BrowserTab(
                http, URI.create(target.path("webSocketDebuggerUrl").asText()));
        tab.resize(width, height);
        return tab;
    }

    @Override
    public void close() {
        Stream<ProcessHandle> children = process.descendants();
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }

    /** Reads what it says until it says where it listens. */
    private static String address(Process process, BufferedReader output) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher matcher = LISTENING.matcher(line);
            if (matcher.find()) {
                return matcher.group(1);
            }
            said.append(line).append('\n');
        }
        process.destroyForcibly();
        throw new IOException("Chromium did not start: " + said);
    }

    /** Nothing that it says is left in the pipe, which would make it wait. */
    private static void log(BufferedReader output, Path errors) {
        try (output;
                PrintWriter file = new PrintWriter(Files.newBufferedWriter(errors))) {
            output.lines().forEach(file::println);
        } catch (IOException | UncheckedIOException e) {
            // The browser is gone.
        }
    }

    @Override
    public String toString() {
        return "Chromium at " + address + ", log " + errors;
    }
}
