package dev.ebb.devstack;

import dev.ebb.devstack.process.Distribution;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.StackContext;
import dev.ebb.devstack.process.StackObserver;
import dev.ebb.devstack.process.StackProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A service that is a line of shell; ready when the file {@code ready} is in the data folder. */
public final class ShellService extends StackProcess {
    private final String line;
    private final int port;
    private final AtomicInteger deaths = new AtomicInteger();

    public ShellService(StackContext context, String line) {
        this(context, line, -1);
    }

    public ShellService(StackContext context, String line, int port) {
        super(Service.BROKER, context);
        this.line = line;
        this.port = port;
    }

    public static StackContext context(Path dataDir, StackObserver observer) {
        return new StackContext(dataDir, new Distribution(dataDir), observer, Map.of(), new AtomicBoolean());
    }

    public int deaths() {
        return deaths.get();
    }

    @Override
    public String address() {
        return "nowhere";
    }

    @Override
    public List<Integer> ports() {
        return port < 0 ? List.of() : List.of(port);
    }

    @Override
    public List<String> command() throws IOException {
        Files.deleteIfExists(readyFile());
        return List.of("/bin/sh", "-c", line, "sh", readyFile().toString());
    }

    @Override
    public boolean isReady() {
        return Files.exists(readyFile());
    }

    @Override
    public Duration startLimit() {
        return Duration.ofSeconds(2);
    }

    @Override
    public Duration stopLimit() {
        return Duration.ofMillis(500);
    }

    @Override
    public void onDeath(Duration uptime) {
        deaths.incrementAndGet();
    }

    private Path readyFile() {
        return context().dataDir().resolve("ready");
    }
}
