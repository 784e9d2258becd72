package dev.ebb.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.faults.FaultTable.Row;
import dev.ebb.oracle.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs the faults one after the other on one stack and asks the oracle after each. Settings, as system properties: {@code
 * faults=full} for all rounds of all faults, {@code faults.seed=N} for the run that had that seed, {@code
 * faults.only=NAME,NAME} for some.
 */
class FaultSuite {

    private static final Path FOLDER = Path.of("target", "faults");
    private static final String STACK = "stack-";
    private static final int INSTANCES = 3;
    private static final boolean IS_FULL = System.getProperty("faults", "").equals("full");
    private static final long SEED = Long.getLong("faults.seed", System.currentTimeMillis() % 1_000_000);
    private static final List<String> ONLY =
            List.of(System.getProperty("faults.only", "").split(",", -1));

    /** Many times what a fault takes: one that never ends must fail while there is time to say where it stands. */
    private static final Duration LIMIT = Duration.ofMinutes(IS_FULL ? 90 : 12);

    private static final int LOG_LINES = 30;
    private static final int LOG_WIDTH = 300;

    private static final ScheduledExecutorService LIMITS =
            Executors.newSingleThreadScheduledExecutor(work -> new Thread(null, work, "fault-limit"));

    private static final FaultTable TABLE = new FaultTable();
    private static FaultStack stack;
    private static Verdict before;
    private static int stacks;

    @TestFactory
    Stream<DynamicTest> shouldKeepEveryPromiseUnder() {
        return Faults.all().stream()
                .filter(fault -> ONLY.equals(List.of("")) ? IS_FULL || fault.isSmoke() : ONLY.contains(fault.name()))
                .map(fault -> DynamicTest.dynamicTest(fault.name(), () -> run(fault)));
    }

    @BeforeAll
    static void forgetEarlierRuns() throws IOException {
        Files.createDirectories(FOLDER);
        try (Stream<Path> stacks = Files.list(FOLDER)) {
            stacks.filter(folder -> folder.getFileName().toString().startsWith(STACK))
                    .toList()
                    .forEach(Folders::delete);
        }
    }

    @AfterAll
    static void tell() {
        LIMITS.shutdownNow();
        closeStack();
        System.out.println(TABLE.text(SEED, IS_FULL));
    }

    /** Prints at once, so that a run that is cut off has told its findings. */
    private static void note(Row row) throws IOException {
        TABLE.add(row);
        TABLE.write(FOLDER, SEED, IS_FULL);
        System.out.println("faults: " + row.said());
    }

    private static void run(Fault fault) throws Exception {
        Thread thread = Thread.currentThread();
        Future<?> end = LIMITS.schedule(thread::interrupt, LIMIT.toMinutes(), TimeUnit.MINUTES);
        try {
            runUntilEnd(fault);
        } finally {
            end.cancel(false);
        }
    }

    private static void runUntilEnd(Fault fault) throws Exception {
        if (!fault.skipped().isEmpty()) {
            note(new Row(fault.name(), "skipped", 0, 0, 0, List.of(), 0, fault.skipped()));
            Assumptions.abort(fault.skipped());
        }
        System.out.printf("faults: %s, -Dfaults.seed=%d%n", fault.name(), SEED);
        long begin = System.nanoTime();
        FaultRun run = new FaultRun(SEED + fault.name().hashCode(), IS_FULL);
        List<String> differences = new ArrayList<>(List.of("it did not come to its end"));
        Verdict now = new Verdict(0, 0, List.of());
        try {
            startStack();
            now = before;
            stack.load().resume();
            fault.run(stack, run);
            now = verdict();
            differences = now.differences();
        } catch (Exception | AssertionError e) {
            differences = List.of(e instanceof InterruptedException ? "no end within " + LIMIT : e.toString());
            tellLogs();
            throw e;
        } finally {
            note(new Row(
                    fault.name(),
                    differences.isEmpty() ? "passed" : "failed",
                    run.rounds(),
                    now.events() - (before == null ? 0 : before.events()),
                    now.deletes() - (before == null ? 0 : before.deletes()),
                    differences,
                    (System.nanoTime() - begin) / 1_000_000_000,
                    run.remarks()));
            before = now;
            if (!differences.isEmpty() || fault.spoilsStack()) {
                closeStack();
            }
        }
        assertThat(differences).as(fault.name()).isEmpty();
    }

    /** Differences that remain at a second look: SQL may be some records behind the status of the mirror. */
    private static Verdict verdict() throws InterruptedException {
        stack.awaitQuiet();
        Verdict first = stack.judge();
        if (first.differences().isEmpty()) {
            return first;
        }
        stack.awaitQuiet();
        return stack.judge();
    }

    /** Prints how the logs of the instances end: of a run elsewhere, often nothing but its output is left. */
    private static void tellLogs() throws IOException {
        for (Instance instance : stack == null ? List.<Instance>of() : stack.instances()) {
            List<String> lines = Files.exists(instance.log()) ? Files.readAllLines(instance.log()) : List.of();
            System.out.println("faults: the log of " + instance + " ends with");
            lines.stream()
                    .skip(Math.max(0, lines.size() - LOG_LINES))
                    .map(line -> line.substring(0, Math.min(LOG_WIDTH, line.length())))
                    .forEach(System.out::println);
        }
    }

    private static void startStack() throws InterruptedException {
        if (stack == null) {
            stacks++;
            stack = FaultStack.start(
                    FOLDER.resolve(STACK + ProcessHandle.current().pid() + "-" + stacks), SEED + stacks, INSTANCES);
            before = new Verdict(0, 0, List.of());
        }
    }

    private static void closeStack() {
        if (stack != null) {
            stack.close();
            stack = null;
        }
    }
}
