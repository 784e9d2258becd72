package dev.ebb.faults;

import static dev.ebb.model.EventBuilder.event;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.it.Await;
import dev.ebb.topology.BrokenBuild;
import dev.ebb.topology.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Controls of the fault suite. Each one is a build with one expression replaced, in a process of its own, under a
 * short load without any fault: the oracle must name what it does wrong, or the build must notice itself and end, so that
 * the suite never gets its quiet. Smoke runs the first one alone.
 */
class FaultControlsSuite {

    private static final Path FOLDER = Path.of("target", "faults");
    private static final boolean IS_FULL = System.getProperty("faults", "").equals("full");
    private static final String ONLY = System.getProperty("faults.only", "");
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final int EVENTS = 6000;

    /** Time for which each build works under load. */
    private static final Duration LOAD = Duration.ofSeconds(6);

    /** @param named text that the oracle must say, or the log of an instance that ended by itself */
    record Control(Fault fault, String named) {

        String name() {
            return fault.name();
        }
    }

    static final List<Control> CONTROLS = List.of(
            new Control(
                    new Fault(
                            "skips-audit",
                            "topology.removal.Removals",
                            "audit.add(removed.stream(), event, cause, rule, anchorMs, undoUntilMs, nowMs);",
                            ";"),
                    "was deleted without an audit record"),
            new Control(
                    new Fault(
                            "one-ms-early",
                            "domain.retention.RetentionDecider",
                            "return nowMs > dueAtMs;",
                            "return nowMs >= dueAtMs;"),
                    ": 1 ms early"),
            new Control(
                    new Fault(
                            "forgets-protection",
                            "store.arrival.Arrivals",
                            "boolean isProtected = !statuses.isTerminal(event.status());",
                            "boolean isProtected = false;"),
                    "must not have been: protected"),
            new Control(
                    new Fault(
                            "keeps-head",
                            "store.state.Heads",
                            "head.isEmpty || head.compareTo(position) > 0",
                            "head.isEmpty || (range != Range.ORDERED && head.compareTo(position) > 0)"),
                    "counts events that are not there"));

    @TestFactory
    Stream<DynamicTest> shouldNoticeABuildThat() {
        return CONTROLS.stream()
                .filter(control -> ONLY.isEmpty()
                        ? IS_FULL || control.equals(CONTROLS.get(0))
                        : List.of(ONLY.split(",", -1)).contains(control.name()))
                .map(control -> DynamicTest.dynamicTest(control.name(), () -> run(control)));
    }

    private static void run(Control control) throws Exception {
        Path classes = FOLDER.resolve("broken").resolve(control.name()).toAbsolutePath();
        BrokenBuild.write(classes, control.fault());
        Path folder =
                FOLDER.resolve("controls-" + ProcessHandle.current().pid()).resolve(control.name());
        // A stack of its own, since the remains of one build would hide the work of the next.
        try (FaultStack stack =
                FaultStack.start(folder, 1, 1, instance -> instance.firstOnClasspath(List.of(classes)))) {
            require(control, stack);
        }
    }

    private static void require(Control control, FaultStack stack) throws Exception {
        stack.load().resume();
        dueEachMillisecond(control.name(), stack);
        Thread.sleep(LOAD.toMillis());
        stack.load().pause();
        Instance broken = stack.instances().get(0);
        Await.until("the oracle names a build that " + control.name(), LIMIT, () -> {
            if (!broken.isRunning()) {
                return Files.readString(broken.log()).contains(control.named()) ? "" : "why it ended: " + broken.log();
            }
            List<String> differences = stack.judge().differences();
            boolean isNamed = differences.stream().anyMatch(line -> line.contains(control.named()));
            return isNamed
                    ? ""
                    : differences.size() + " others: "
                            + differences.stream().limit(5).toList();
        });
    }

    /**
     * Makes something due exactly at the point of each sweep, by its age: deadlines of events with their own TTL are
     * read up to that point, whatever a build decides.
     */
    private static void dueEachMillisecond(String control, FaultStack stack) {
        long begin = System.currentTimeMillis() + 3000 - LoadPolicies.LATE.toMillis();
        for (int i = 0; i < EVENTS; i++) {
            String stream = "late/due-" + i % 8;
            byte[] value = stack.records()
                    .event(event(stream, control + "-" + i)
                            .occurredAt(begin + i)
                            .build());
            stack.load().send(new ProducerRecord<>(stack.topics().events(), stream.getBytes(UTF_8), value));
        }
    }
}
