package dev.ebb.faults;

import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.it.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The disk under the state folder of an instance is full: it says so in its log, and may end, but only as one that failed
 * does and never by a crash; others go on. When there is space again and it is started, all is as it was.
 */
final class FullDisk implements Fault {

    private static final int SIZE_MB = 64;
    private static final int STREAMS = 50;
    private static final int EVENTS_AT_ONCE = 10_000;
    private static final String CRASHED = "A fatal error has been detected by the Java Runtime Environment";
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Override
    public String name() {
        return "disk";
    }

    @Override
    public boolean isSmoke() {
        return false;
    }

    @Override
    public String skipped() {
        try {
            Path folder = Files.createDirectories(Path.of("target", "faults", "mount-trial"));
            if (!mount(folder)) {
                return "a tmpfs cannot be mounted here (no root)";
            }
            unmount(folder);
            return "";
        } catch (IOException e) {
            return "a tmpfs cannot be mounted here: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        Instance victim = stack.busiest();
        Path usual = victim.stateFolder();
        Path small = Files.createDirectories(stack.folder().resolve("small-disk"));
        victim.stop();
        mount(small);
        try {
            victim.stateFolder(small).start();
            stack.awaitReady();
            Await.until("the full disk is noticed", PATIENCE, () -> {
                fill(small.resolve("filler"));
                stack.load().kept("stay", STREAMS, EVENTS_AT_ONCE);
                return saysSo(victim) ? "" : "its log does not name the reason: " + victim.log();
            });
            run.remark(victim.isRunning() ? "it goes on and says so" : "it ended and says so");
            run.round();
            requireOrderly(victim);
        } finally {
            victim.kill();
            unmount(small);
            victim.stateFolder(usual);
        }
        stack.awaitReady();
    }

    /** The threads that fail are replaced, and closed stores are still asked: it may take until then to crash. */
    private static void requireOrderly(Instance victim) throws IOException {
        if (!victim.isRunning() && victim.exitCode() != ExitCode.FAILED.code()) {
            throw new AssertionError("it ended with exit code " + victim.exitCode() + "; see " + victim.log());
        }
        if (Files.readString(victim.log()).contains(CRASHED)) {
            throw new AssertionError("it crashed; see " + victim.log());
        }
    }

    private static boolean saysSo(Instance victim) throws IOException {
        return Files.readString(victim.log()).contains("No space left on device");
    }

    /** Takes all that is left. */
    private static void fill(Path file) {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] block = new byte[4096];
            for (int i = 0; i < SIZE_MB << 8; i++) {
                out.write(block);
            }
        } catch (IOException full) {
            // As it should be.
        }
    }

    private static boolean mount(Path folder) throws IOException, InterruptedException {
        return ok(List.of(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "size=" + SIZE_MB + "m",
                "ebb-faults",
                folder.toAbsolutePath().toString()));
    }

    private static void unmount(Path folder) throws IOException, InterruptedException {
        ok(List.of("umount", folder.toAbsolutePath().toString()));
    }

    private static boolean ok(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
