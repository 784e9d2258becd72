package dev.ebb.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.it.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The clock of an instance jumps an hour forward, and an hour back, while its process runs (libfaketime; the clock that
 * only goes on is left alone, as in real life). Events that fall due in half an hour must all stay, and the guard lets go
 * when the clock is right again. Events do not come in meanwhile: the time at which they are stored is the clock's.
 */
final class WrongClock implements Fault {

    private static final int EVENTS = 400;
    private static final int STREAMS = 20;
    private static final long HALF_HOUR_MS = 1_800_000;
    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"));

    @Override
    public String name() {
        return "clock";
    }

    @Override
    public String skipped() {
        return library().findFirst().isPresent() ? "" : "libfaketime is not installed (Debian: faketime)";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        Path time = stack.folder().resolve("faketime");
        set(time, "+0");
        Instance victim = stack.busiest();
        victim.stop();
        victim.environment("LD_PRELOAD", library().findFirst().orElseThrow().toString())
                .environment("FAKETIME_TIMESTAMP_FILE", time.toString())
                .environment("FAKETIME_NO_CACHE", "1")
                .environment("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                .environment("DONT_FAKE_MONOTONIC", "1")
                .start();
        // The others leave, so that this one keeps every partition.
        for (Instance instance : stack.instances()) {
            if (instance != victim) {
                instance.stop();
            }
        }
        stack.load().due("soon", STREAMS, EVENTS, System.currentTimeMillis() + HALF_HOUR_MS);
        awaitAll(stack, victim);
        try {
            for (String jump : List.of("+3600", "-3600").subList(0, run.rounds(1, 2))) {
                set(time, jump);
                awaitProblem(victim, true);
                run.round();
                set(time, "+0");
                awaitProblem(victim, false);
            }
        } finally {
            // Its Kafka clients take more than a minute to end, since they go by the clock that jumped.
            victim.kill();
            List.of("LD_PRELOAD", "FAKETIME_TIMESTAMP_FILE", "FAKETIME_NO_CACHE")
                    .forEach(name -> victim.environment(name, null));
        }
        stack.awaitReady();
        long left = stored(stack.any());
        if (left != EVENTS) {
            throw new AssertionError("of " + EVENTS + " events that are due in half an hour " + left + " are left");
        }
    }

    /** Returns when the instance keeps all partitions and has taken in everything, and nothing comes any more. */
    private static void awaitAll(FaultStack stack, Instance victim) throws InterruptedException {
        stack.load().pause();
        Await.until("one instance keeps all", () -> {
            JsonNode status = Rest.get(victim.url(), "/v1/status").body();
            boolean isAll = status.path("partitions").size() >= FaultStack.PARTITIONS;
            return isAll && Quiescence.lag(stack) == 0
                    ? ""
                    : "it keeps " + status.path("partitions").size();
        });
    }

    private static void awaitProblem(Instance instance, boolean isExpected) throws InterruptedException {
        Await.until("the clock guard " + (isExpected ? "stops" : "lets go on"), () -> {
            JsonNode clock = Rest.get(instance.url(), "/v1/status").body().path("clock");
            return clock.path("problem").isTextual() == isExpected ? "" : clock.toString();
        });
    }

    private static long stored(Instance instance) throws IOException, InterruptedException {
        for (JsonNode namespace :
                Rest.get(instance.url(), "/v1/namespaces").body().path("namespaces")) {
            if (namespace.path("namespace").asText().equals("soon")) {
                return namespace.path("events").longValue();
            }
        }
        return 0;
    }

    private static void set(Path file, String offset) {
        try {
            Path whole = Path.of(file + ".new");
            Files.writeString(whole, offset + "\n");
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> library() {
        return LIBRARIES.stream().filter(Files::exists);
    }
}
