package dev.ebb.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.event.Event;
import dev.ebb.it.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The clock of an instance jumps two hours forward, and two hours back, while its process runs (libfaketime; the clock
 * that only goes on is left alone, as in real life). That is more than a broker lets a record be ahead of it unless its
 * topic says otherwise. Events that fall due in half an hour must all stay, new ones are stored with the right time and
 * committed, the broker refuses no record, and the guard lets go when the clock is right again.
 */
final class WrongClock implements Fault {

    private static final int EVENTS = 400;
    private static final int STREAMS = 20;
    private static final long HALF_HOUR_MS = 1_800_000;
    private static final int STORED_MEANWHILE = 20;
    /** Largest difference that the clocks of one machine may seem to have over the way to the broker and back. */
    private static final long TOLERANCE_MS = 5000;

    private static final String REFUSED_RECORD = "InvalidRecordException";

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
                // By default every ten seconds. With each look at the clock, the instance would fall far behind.
                .environment("FAKETIME_CACHE_DURATION", "1")
                .environment("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                .environment("DONT_FAKE_MONOTONIC", "1")
                // It corrects what the C library of today does right: each wait of a thread would take milliseconds
                // more.
                .environment("FAKETIME_FORCE_MONOTONIC_FIX", "0")
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
            for (String jump : List.of("+7200", "-7200").subList(0, run.rounds(1, 2))) {
                set(time, jump);
                awaitProblem(victim, true);
                requireRightTimes(stack, victim);
                awaitCommitted(stack, victim);
                run.round();
                set(time, "+0");
                awaitProblem(victim, false);
            }
        } finally {
            // Its Kafka clients take more than a minute to end, since they go by the clock that jumped.
            victim.kill();
            List.of("LD_PRELOAD", "FAKETIME_TIMESTAMP_FILE", "FAKETIME_CACHE_DURATION", "FAKETIME_FORCE_MONOTONIC_FIX")
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

    /** Records written by a punctuation have the wrong time too, and are committed with what came in. */
    private static void awaitCommitted(FaultStack stack, Instance victim) throws InterruptedException, IOException {
        Await.until("what came meanwhile is committed", () -> {
            if (!victim.isRunning()) {
                throw new AssertionError("a wrong clock ended " + victim + "; see " + victim.log());
            }
            long lag = Quiescence.lag(stack);
            return lag == 0 ? "" : lag + " records are not";
        });
        if (Files.readString(victim.log()).contains(REFUSED_RECORD)) {
            throw new AssertionError("the broker refused records of " + victim + "; see " + victim.log());
        }
    }

    /** Too early, they would go too early by as much; too late, they would stay for longer than they may. */
    private static void requireRightTimes(FaultStack stack, Instance victim) throws InterruptedException {
        long sentMs = System.currentTimeMillis();
        for (Event event : stack.load().kept("meanwhile", 2, STORED_MEANWHILE)) {
            String path = "/v1/streams/" + URLEncoder.encode(event.stream().value(), UTF_8) + "/events/"
                    + URLEncoder.encode(event.id().value(), UTF_8);
            Await.until("an event that came meanwhile", () -> {
                JsonNode stored = Rest.get(victim.url(), path).body().path("storedAt");
                if (!stored.isTextual()) {
                    return "not there";
                }
                long storedMs = Instant.parse(stored.asText()).toEpochMilli();
                if (storedMs < sentMs - TOLERANCE_MS || storedMs > System.currentTimeMillis() + TOLERANCE_MS) {
                    throw new AssertionError("sent at " + Instant.ofEpochMilli(sentMs) + ", stored at " + stored);
                }
                return "";
            });
        }
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
