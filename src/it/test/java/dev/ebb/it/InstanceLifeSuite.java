package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.CommandRun;
import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestBroker;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.Service;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.store.layout.StateFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Instances with fixed names come and go, each a process of its own: what docs/operations tells operators to do. The
 * session of a member lasts five minutes here, so what happens in this test does not happen because one has ended.
 */
@Timeout(420)
@TestInstance(Lifecycle.PER_CLASS)
class InstanceLifeSuite {

    private static final int PARTITIONS = 4;
    private static final int EVENTS = 400;
    private static final Path JAR = Path.of(System.getProperty("ebb.home", ""), "target/ebb/lib/ebb.jar")
            .toAbsolutePath();
    private static final Pattern RESTORED = Pattern.compile("a store is restored .*records=\"?(\\d+)");

    private final List<InstanceProcess> instances = new ArrayList<>();
    private final Map<String, String> shared = new HashMap<>(Map.of(
            "topics.partitions",
            Integer.toString(PARTITIONS),
            "retention.default.max.age",
            "unlimited",
            "commit.interval",
            "100ms",
            "kafka.session.timeout.ms",
            "300000",
            "kafka.probing.rebalance.interval.ms",
            "60000"));
    private Path folder;
    private DevStack stack;

    @BeforeAll
    void start(@TempDir Path shared) {
        folder = shared;
        var builder = TestStack.builder(folder.resolve("stack"))
                .without(Service.POSTGRES, Service.CONNECT)
                .withApp(false);
        stack = TestBroker.ofBuild().into(builder).start();
    }

    @AfterEach
    void stopInstances() {
        instances.forEach(InstanceProcess::kill);
        instances.clear();
    }

    @AfterAll
    void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    @Tag("A-9")
    @Tag("O-17")
    void shouldMoveNothingInARollingUpgradeAndEverythingAtOnceWhenDrained() throws Exception {
        // given two instances, each with a copy of what the other one keeps
        begin("rolling", "1");
        InstanceProcess a = instance("a").start(JAR);
        InstanceProcess b = instance("b").start(JAR);
        a.awaitPartitions(PARTITIONS / 2);
        b.awaitPartitions(PARTITIONS / 2);
        fill(a);
        awaitEvents(a, EVENTS);
        Map<InstanceProcess, Set<Integer>> before = Map.of(a, a.partitions(), b, b.partitions());

        // when each of them is stopped and comes back in another version
        Path next = new OtherVersion(JAR, "9.9.9").jar(own());
        for (InstanceProcess one : List.of(b, a)) {
            InstanceProcess other = one == a ? b : a;
            long moves = other.logged("now=\"REBALANCING\"");
            String log = one.log();
            one.stop();
            one.start(next);
            one.awaitPartitions(PARTITIONS / 2);

            // then nothing has moved, and nothing was restored but what came in between
            assertThat(one.status().path("version").asText()).isEqualTo("9.9.9");
            assertThat(one.partitions()).isEqualTo(before.get(one));
            assertThat(other.partitions()).isEqualTo(before.get(other));
            assertThat(other.logged("now=\"REBALANCING\"")).as(other.log()).isEqualTo(moves);
            assertThat(restored(one.log().substring(log.length()))).isLessThan(EVENTS / 10);
        }
        awaitEvents(b, EVENTS);

        // when one of them is drained
        CommandRun drained = b.run("drain");

        // then the other one has all of it, without waiting for a session to end
        assertThat(drained.exitCode()).as(drained.err()).isZero();
        assertThat(drained.out()).contains("has left; the others take over partition", "Stop it now");
        a.awaitPartitions(PARTITIONS);
        awaitEvents(a, EVENTS);
        assertThat(b.get("/health/live").statusCode()).isEqualTo(200);
        assertThat(b.get("/health/ready").statusCode()).isEqualTo(503);
        assertThat(b.get("/health/ready").body()).contains("drained");
        assertThat(b.status().path("state").asText()).isEqualTo("DRAINED");
        assertThat(a.json("/v1/instances").path("instances")).hasSize(1);

        // when it is the only one
        CommandRun refused = a.run("drain");

        // then it stays
        assertThat(refused.exitCode()).isEqualTo(5);
        assertThat(refused.err()).contains("is the only instance");

        // when the drained one starts anew
        b.stop();
        b.start(JAR);

        // then it has its share again
        b.awaitPartitions(PARTITIONS / 2);
        a.awaitPartitions(PARTITIONS / 2);
        awaitEvents(b, EVENTS);
    }

    @Test
    void shouldLeaveStateOfANewerFormatAloneUntilThatVersionIsBack() throws Exception {
        // given an instance whose next version writes another format
        begin("formats", "0");
        InstanceProcess a = instance("a").start(JAR);
        a.awaitPartitions(PARTITIONS);
        fill(a);
        awaitEvents(a, EVENTS);
        a.stop();
        Path next = new OtherVersion(JAR, "9.9.9").jarOfNextFormat(own());
        a.start(next);
        a.awaitPartitions(PARTITIONS);
        awaitEvents(a, EVENTS);
        assertThat(a.run("drain", "--force").exitCode()).isZero();
        a.stop();
        Map<String, Long> state = files(a.state());
        Map<TopicPartition, Long> changelogs = changelogs();

        // when the former version starts on its state
        int end = a.start(JAR).awaitEnd();

        // then it says why not, and has changed nothing
        assertThat(end).isEqualTo(5);
        int number = StateFormat.current().number();
        String newer = "was written by Ebb 9.9.9 in format " + (number + 1);
        assertThat(a.log()).contains(newer, "reads format " + number + ", and has changed nothing");
        assertThat(files(a.state())).isEqualTo(state);

        // when the former version takes over from the changelog
        InstanceProcess b = instance("b").start(JAR);

        // then as well
        assertThat(b.awaitEnd()).as(b.log()).isEqualTo(5);
        assertThat(b.log()).contains(newer, "such as 9.9.9 or a newer one");
        assertThat(changelogs()).isEqualTo(changelogs);

        // when that version is back
        a.start(next);

        // then it has everything at once: the one that was refused has not stayed in the group
        a.awaitPartitions(PARTITIONS);
        awaitEvents(a, EVENTS);
    }

    @Test
    @Tag("A-9")
    void shouldReadOnlyTheDifferenceAfterAKill() throws Exception {
        // given an instance that has written a part of its state to files
        shared.put("rocksdb.write.buffer.bytes", "8388608");
        begin("killed", "0");
        InstanceProcess a = instance("a").start(JAR);
        a.awaitPartitions(PARTITIONS);
        int rounds = 20;
        for (int round = 1; round <= rounds; round++) {
            fill(a, round, "x".repeat(4000));
            awaitEvents(a, round * EVENTS);
        }

        // when it is killed and comes back
        String log = a.log();
        a.kill();
        a.awaitEnd();
        a.start(JAR);
        a.awaitPartitions(PARTITIONS);

        // then it has all of it, and has read only the last part from its changelogs
        awaitEvents(a, rounds * EVENTS);
        assertThat(restored(a.log().substring(log.length()))).isBetween(0L, (long) rounds * EVENTS / 2);
        shared.remove("rocksdb.write.buffer.bytes");
    }

    /** An application of its own. */
    private void begin(String application, String standbyReplicas) throws IOException {
        shared.put("application.id", application);
        shared.put("topics.prefix", application + ".");
        shared.put("standby.replicas", standbyReplicas);
        Files.createDirectories(own());
        EbbConfig config = EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), shared));
        new KafkaSession(config).topics(TopicAdmin::create);
    }

    private Path own() {
        return folder.resolve(shared.get("application.id"));
    }

    private InstanceProcess instance(String name) throws IOException {
        InstanceProcess instance = new InstanceProcess(name, own().resolve(name), stack.settingsFile(), shared);
        instances.add(instance);
        return instance;
    }

    private static void fill(InstanceProcess instance) throws Exception {
        fill(instance, 1, "");
    }

    private static void fill(InstanceProcess instance, int round, String payload) throws Exception {
        for (int stream = 0; stream < 8; stream++) {
            List<String> events = new ArrayList<>();
            for (int i = 0; i < EVENTS / 8; i++) {
                events.add("{\"id\":\"" + round + "-" + i + "\",\"type\":\"t\",\"payload\":\"" + payload + "\"}");
            }
            assertThat(instance.post("/v1/streams/life%2F" + stream + "/events", events.toString())
                            .statusCode())
                    .isEqualTo(202);
        }
    }

    private static void awaitEvents(InstanceProcess asked, int events) throws InterruptedException {
        Await.until(events + " events are stored", () -> {
            var namespace = asked.json("/v1/namespaces/life");
            boolean isAll = namespace.path("events").asInt() == events
                    && namespace.path("exact").asBoolean(true);
            return isAll ? "" : namespace.toString();
        });
    }

    /** Records that the instance read to bring its stores up to their changelogs. */
    private static long restored(String log) {
        return RESTORED.matcher(log)
                .results()
                .map(match -> match.group(1))
                .mapToLong(Long::parseLong)
                .sum();
    }

    /** The files of a folder and when they were written. */
    private static Map<String, Long> files(Path folder) throws IOException {
        Map<String, Long> files = new TreeMap<>();
        try (var paths = Files.walk(folder)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                files.put(
                        folder.relativize(path).toString(),
                        Files.getLastModifiedTime(path).toMillis());
            }
        }
        return files;
    }

    /** Where the changelogs end. */
    private Map<TopicPartition, Long> changelogs() throws Exception {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", stack.endpoints().bootstrapServers()))) {
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            List<String> names = admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith(shared.get("application.id") + "-"))
                    .toList();
            admin.describeTopics(names).allTopicNames().get().forEach((name, topic) -> topic.partitions()
                    .forEach(partition ->
                            ends.put(new TopicPartition(name, partition.partition()), OffsetSpec.latest())));
            Map<TopicPartition, Long> offsets = new HashMap<>();
            for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end :
                    admin.listOffsets(ends).all().get().entrySet()) {
                offsets.put(end.getKey(), end.getValue().offset());
            }
            return offsets;
        }
    }
}
