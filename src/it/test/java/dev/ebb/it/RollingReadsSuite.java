package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestBroker;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.Service;
import dev.ebb.runtime.kafka.TopicAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes the steps of docker/try with processes in place of containers: two instances are replaced one after the other, again and again, while events come in, every stream is read, and two
 * busy processes take the cores.
 * {@code -Drolling.tries=10} does it ten times.
 */
@Tag("A-9")
@Tag("O-17")
@Timeout(1800)
class RollingReadsSuite {

    private static final int TRIES = Integer.getInteger("rolling.tries", 2);
    private static final int PARTITIONS = 6;
    private static final int STREAMS = 40;
    /** Longer than a start takes between two busy processes, so that nothing moves. */
    private static final String SESSION_TIMEOUT_MS = "180000";

    private static final Duration BUSY = Duration.ofSeconds(60);
    private static final Path HOME = Path.of(System.getProperty("ebb.home", "")).toAbsolutePath();
    private static final Path JAR = HOME.resolve("target/ebb/lib/ebb.jar");

    @TempDir
    private Path folder;

    private final List<InstanceProcess> instances = new ArrayList<>();
    private final List<Process> busy = new ArrayList<>();
    private final Map<String, Integer> unanswered = new HashMap<>();
    private volatile boolean isOver;
    private volatile int reads;
    private DevStack stack;

    @BeforeEach
    void start() throws Exception {
        var builder = TestStack.builder(folder.resolve("stack"))
                .without(Service.POSTGRES, Service.CONNECT)
                .withApp(false);
        stack = TestBroker.ofBuild().into(builder).start();
        Map<String, String> shared = Map.of(
                "application.id", "rolling",
                "topics.prefix", "rolling.",
                "topics.partitions", Integer.toString(PARTITIONS),
                "standby.replicas", "1",
                "retention.default.max.age", "unlimited",
                "kafka.session.timeout.ms", SESSION_TIMEOUT_MS,
                "kafka.probing.rebalance.interval.ms", ofCompose("EBB_KAFKA_PROBING_REBALANCE_INTERVAL_MS"));
        EbbConfig config = EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), shared));
        new KafkaSession(config).topics(TopicAdmin::create);
        for (String name : List.of("ebb-1", "ebb-2")) {
            instances.add(new InstanceProcess(name, folder.resolve(name), stack.settingsFile(), shared).start(JAR));
        }
    }

    @AfterEach
    void stop() {
        isOver = true;
        busy.forEach(Process::destroyForcibly);
        instances.forEach(InstanceProcess::kill);
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void shouldMoveNothingAndAnswerEveryReadInARollingUpgradeOnABusyMachine() throws Exception {
        // given
        for (InstanceProcess instance : instances) {
            instance.awaitPartitions(PARTITIONS / 2);
        }
        int sent = 0;
        for (int i = 0; i < STREAMS; i++) {
            send(instances.get(0), sent++);
        }
        Await.until("all streams are stored", () -> {
            int stored =
                    instances.get(0).json("/v1/namespaces/load").path("events").asInt();
            return stored == STREAMS ? "" : stored + " of " + STREAMS;
        });
        Map<InstanceProcess, Set<Integer>> before = new HashMap<>();
        for (InstanceProcess instance : instances) {
            before.put(instance, instance.partitions());
        }
        Thread reader = new Thread(this::readOn, "rolling-reads");
        reader.setDaemon(true);
        reader.start();

        for (int i = 1; i <= TRIES; i++) {
            // when
            beBusy();
            long begin = System.nanoTime();
            for (InstanceProcess instance : List.of(instances.get(1), instances.get(0))) {
                InstanceProcess other = instance == instances.get(0) ? instances.get(1) : instances.get(0);
                instance.stop();
                for (int k = 0; k < STREAMS; k++) {
                    send(other, sent++);
                }
                instance.start(JAR);
                instance.awaitPartitions(PARTITIONS / 2);
            }

            // then
            System.out.println(
                    "rolling upgrade " + i + " of " + TRIES + ": " + (System.nanoTime() - begin) / 1_000_000_000
                            + " s, " + reads + " reads, unanswered " + unanswered);
            for (InstanceProcess instance : instances) {
                assertThat(instance.partitions()).isEqualTo(before.get(instance));
            }
            assertThat(unanswered).isEmpty();
        }
        int all = sent;
        Await.until("all events are stored", () -> {
            int stored =
                    instances.get(0).json("/v1/namespaces/load").path("events").asInt();
            return stored == all ? "" : stored + " of " + all;
        });
        assertThat(reads).isPositive();
    }

    /** They end by themselves, whatever becomes of this process. */
    private void beBusy() throws IOException {
        busy.forEach(Process::destroyForcibly);
        busy.clear();
        for (int i = 0; i < 2; i++) {
            busy.add(new ProcessBuilder("bash", "-c", "while ((SECONDS < " + BUSY.toSeconds() + ")); do :; done")
                    .start());
        }
    }

    private static void send(InstanceProcess instance, int number) throws Exception {
        String path = "/v1/streams/load%2Fs-" + number % STREAMS + "/events";
        String event = "{\"id\":\"e-" + number + "\",\"type\":\"load\"}";
        assertThat(instance.post(path, event).statusCode()).isEqualTo(202);
    }

    /** One stream after the other, from any instance that answers, be it a copy. */
    private void readOn() {
        for (int i = 0; !isOver; i++) {
            String path = "/v1/streams/load%2Fs-" + i % STREAMS + "?stale=true";
            String answer = "";
            for (InstanceProcess instance : instances) {
                answer = status(instance, path);
                if (answer.equals("200")) {
                    break;
                }
            }
            if (!answer.equals("200") && !isOver) {
                unanswered.merge(answer, 1, Integer::sum);
            }
            reads = i + 1;
            sleep();
        }
    }

    private static String status(InstanceProcess instance, String path) {
        try {
            var answer = instance.get(path);
            return answer.statusCode() == 200 ? "200" : answer.statusCode() + " " + answer.body();
        } catch (IOException e) {
            return e.getClass().getSimpleName();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private void sleep() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            isOver = true;
        }
    }

    private static String ofCompose(String variable) throws IOException {
        Matcher setting = Pattern.compile(variable + ": \"(\\d+)\"")
                .matcher(Files.readString(HOME.resolve("docker/compose.yaml")));
        assertThat(setting.find()).as(variable).isTrue();
        return setting.group(1);
    }
}
