package dev.ebb.faults;

import dev.ebb.cli.Main;
import dev.ebb.devstack.ForeignProcess;
import dev.ebb.it.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * One instance of the application: a process of its own, with a state folder and a port that it keeps over every restart.
 * Its settings can be changed between two starts. One thread at a time, except for {@link #isRunning}.
 */
public final class Instance {

    private static final Duration START_LIMIT = Duration.ofMinutes(4);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(90);

    private final String name;
    private final Path stackFolder;
    private final Path settingsFile;
    private final int port;
    private final Path log;
    private final Map<String, String> environment = new TreeMap<>();
    private final Map<String, String> settings = new TreeMap<>();
    private Path stateFolder;
    private List<Path> firstOnClasspath = List.of();
    private volatile Process process;
    private volatile boolean isWanted;
    private volatile boolean isFrozen;
    private volatile boolean isReady;
    private String heap = "256m";

    public Instance(String name, Path stackFolder, Path settingsFile, int port) {
        this.name = name;
        this.stackFolder = stackFolder;
        this.settingsFile = settingsFile;
        this.port = port;
        this.log = stackFolder.resolve("logs").resolve(name + ".log");
        this.stateFolder = stackFolder.resolve("state").resolve(name);
    }

    public String name() {
        return name;
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Output of all its starts. */
    public Path log() {
        return log;
    }

    public Path stateFolder() {
        return stateFolder;
    }

    /** From the next start on. */
    public Instance stateFolder(Path folder) {
        stateFolder = folder;
        return this;
    }

    /** A setting above those of the stack, from the next start on; null takes it back. */
    public Instance setting(String key, String value) {
        put(settings, key, value);
        return this;
    }

    /** The largest heap from the next start on, such as {@code 512m}. */
    public Instance heap(String size) {
        heap = size;
        return this;
    }

    /** Callers go to other instances from now on, as before a stop. */
    void leaveAlone() {
        isWanted = false;
    }

    /** A variable from the next start on; null takes it back. */
    public Instance environment(String key, String value) {
        put(environment, key, value);
        return this;
    }

    /** Folders with classes that stand before those of the build, from the next start on: a build that is broken. */
    public Instance firstOnClasspath(List<Path> folders) {
        firstOnClasspath = List.copyOf(folders);
        return this;
    }

    /** Starts the process and returns at once; does nothing if it runs. */
    public Instance launch() {
        if (isRunning()) {
            return this;
        }
        try {
            Files.createDirectories(log.getParent());
            ProcessBuilder builder = new ProcessBuilder(command())
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log.toFile()));
            builder.environment().put("MALLOC_ARENA_MAX", "2");
            builder.environment().putAll(environment);
            process = builder.start();
            isReady = false;
            isWanted = true;
            ForeignProcess.guard(stackFolder, name, process);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the process and returns when it is ready. */
    public Instance start() throws InterruptedException {
        launch();
        awaitReady();
        return this;
    }

    public void awaitReady() throws InterruptedException {
        awaitReady(START_LIMIT);
    }

    void awaitReady(Duration limit) throws InterruptedException {
        Await.until(name + " is ready", limit, () -> {
            if (!isRunning()) {
                throw new AssertionError(name + " ended with exit code " + process.exitValue() + "; see " + log);
            }
            return Rest.get(url(), "/health/ready").status() == 200 ? "" : "it is not ready";
        });
        isReady = true;
    }

    /** As {@code kill -9} does; returns when it has ended. */
    public void kill() throws InterruptedException {
        isWanted = false;
        if (isRunning()) {
            process.destroyForcibly();
            ended(STOP_LIMIT);
        }
    }

    /**
     * SIGTERM, and waits for the end.
     *
     * @return the exit code
     */
    public int stop() throws InterruptedException {
        isWanted = false;
        if (isRunning()) {
            process.destroy();
            if (!ended(STOP_LIMIT)) {
                throw new AssertionError(name + " does not stop; see " + log);
            }
        }
        return process == null ? 0 : process.exitValue();
    }

    /** SIGSTOP. */
    public void pause() {
        isFrozen = true;
        ForeignProcess.signal("STOP", process.pid());
    }

    /** SIGCONT. */
    public void resume() {
        ForeignProcess.signal("CONT", process.pid());
        isFrozen = false;
    }

    /** Returns true if the process runs, is neither frozen nor being ended, and has been ready since its start. */
    boolean answersCallers() {
        return isWanted && !isFrozen && isReady && isRunning();
    }

    public boolean isRunning() {
        Process child = process;
        return child != null && child.isAlive();
    }

    /** Returns true if the process has ended since its start without having been asked to. */
    public boolean hasEndedByItself() {
        Process child = process;
        return child != null && isWanted && !child.isAlive();
    }

    /** Of the last process; only once that has ended. */
    public int exitCode() {
        return process.exitValue();
    }

    /** The most memory that the running process has had at one time, heap and all else, in bytes. */
    public long mostResidentBytes() throws IOException {
        try (var lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            String most =
                    lines.filter(line -> line.startsWith("VmHWM:")).findFirst().orElse("VmHWM: 0 kB");
            return 1024 * Long.parseLong(most.replaceAll("\\D", ""));
        }
    }

    /**
     * Waits for its end.
     *
     * @return true if it came
     */
    private boolean ended(Duration limit) throws InterruptedException {
        boolean hasEnded = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (hasEnded) {
            try {
                ForeignProcess.forget(stackFolder, name);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return hasEnded;
    }

    @Override
    public String toString() {
        return name;
    }

    private List<String> command() {
        String home = System.getProperty("ebb.home", "");
        Path root = Path.of(home).toAbsolutePath();
        List<Path> classpath = new ArrayList<>(firstOnClasspath);
        classpath.add(root.resolve("target/ebb/lib/ebb.jar"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Debb.home=" + root,
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(
                List.of("-cp", String.join(File.pathSeparator, strings(classpath)), Main.class.getName(), "run"));
        command.addAll(List.of("--config", settingsFile.toString()));
        Map<String, String> all = new TreeMap<>(settings);
        all.put("api.listen", "127.0.0.1:" + port);
        all.put("state.dir", stateFolder.toString());
        all.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
        return command;
    }

    private static List<String> strings(List<Path> paths) {
        return paths.stream().map(Path::toString).toList();
    }

    private static void put(Map<String, String> map, String key, String value) {
        if (value == null) {
            map.remove(key);
        } else {
            map.put(key, value);
        }
    }
}
