package dev.ebb.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.Service;
import dev.ebb.faults.OutageTable.Row;
import dev.ebb.it.Await;
import dev.ebb.runtime.kafka.TopicAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three instances with copies, many streams and a load, while one instance after the other is restarted, killed, taken out
 * of the group, frozen, drained and added; prints the outages of the partitions that move and of those that stay. Settings, as
 * system properties: {@code membership.minutes} and {@code membership.streams}, {@code membership.rate} (events a second, and
 * ten times as many in each second change), {@code membership.only=KILL,PAUSE}, {@code membership.heap} and further settings of
 * the instances in {@code membership.settings=KEY=VALUE,KEY=VALUE}.
 */
@Tag("A-18")
class MembershipSuite {

    private static final int PARTITIONS = 6;
    private static final int INSTANCES = 3;
    private static final int FIRST_PORT = 8490;
    private static final long MINUTES = Long.getLong("membership.minutes", 8);
    private static final int STREAMS = Integer.getInteger("membership.streams", 20_000);
    private static final int RATE = Integer.getInteger("membership.rate", 80);
    private static final long SEED = Long.getLong("membership.seed", System.currentTimeMillis() % 1_000_000);
    private static final List<String> ONLY =
            List.of(System.getProperty("membership.only", "").split(",", -1));
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofSeconds(60);

    /** Time for which reads go on after all is settled again. */
    private static final Duration CALM = Duration.ofSeconds(10);

    private static final Set<Integer> ALL =
            new TreeSet<>(IntStream.range(0, PARTITIONS).boxed().toList());

    private static final OutageTable TABLE = new OutageTable();
    private static final OwnerWatch OWNERS = new OwnerWatch(PARTITIONS);
    private static final List<Instance> INSTANCE = new CopyOnWriteArrayList<>();
    private static Path folder;
    private static DevStack stack;
    private static MembershipLoad load;
    private static AnchorReads reads;

    /** What happens to an instance; the limit is that of the outage of partitions that move, in milliseconds. */
    private enum Change {
        RESTART(30_000),
        KILL(45_000),
        KILL_AND_REMOVE(10_000),
        PAUSE(45_000),
        DRAIN(10_000),
        ADD(10_000);

        private final long limitMs;

        Change(long limitMs) {
            this.limitMs = limitMs;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        folder = Path.of(
                        "target",
                        "membership",
                        Long.toString(ProcessHandle.current().pid()))
                .toAbsolutePath();
        Files.createDirectories(folder);
        stack = TestStack.builder(folder)
                .without(Service.POSTGRES, Service.CONNECT, Service.REGISTRY)
                .withApp(false)
                .setting("topics.partitions", Integer.toString(PARTITIONS))
                .setting("standby.replicas", "1")
                .setting("kafka.probing.rebalance.interval.ms", "60000")
                .start();
        new KafkaSession(EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), Map.of())))
                .topics(TopicAdmin::create);
        Anchors anchors = Anchors.of(PARTITIONS);
        reads = new AnchorReads(anchors);
        for (int i = 0; i < INSTANCES; i++) {
            add().start();
        }
        load = new MembershipLoad(stack.endpoints().bootstrapServers(), STREAMS, SEED);
        load.begin();
        for (Anchors.Event event : anchors.events()) {
            assertThat(Rest.send("POST", INSTANCE.get(0).url(), event.path(), event.body())
                            .status())
                    .isEqualTo(202);
        }
        Await.until("all streams are stored", Duration.ofMinutes(30), () -> {
            long stored = Rest.get(INSTANCE.get(0).url(), "/v1/namespaces/many")
                    .body()
                    .path("streams")
                    .longValue();
            return stored == STREAMS ? "" : stored + " of " + STREAMS;
        });
        awaitSettled();
        INSTANCE.forEach(reads::through);
    }

    @AfterAll
    static void stop() throws Exception {
        System.out.println(TABLE.text());
        Files.writeString(folder.resolve("outages.txt"), TABLE.text());
        if (reads != null) {
            reads.close();
        }
        if (load != null) {
            load.close();
        }
        for (Instance instance : INSTANCE) {
            instance.kill();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void shouldGoOnAnsweringWhileInstancesComeAndGo() throws Exception {
        System.out.printf("membership: -Dmembership.seed=%d, %d streams, %d minutes%n", SEED, STREAMS, MINUTES);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        List<String> broken = new ArrayList<>();
        for (int i = 0; i < Change.values().length || System.nanoTime() - end < 0; i++) {
            Change change = Change.values()[i % Change.values().length];
            if (!ONLY.equals(List.of("")) && !ONLY.contains(change.name())) {
                continue;
            }
            load.rate(i % 2 == 0 ? RATE : 10 * RATE);
            Row row = measured(change);
            System.out.print("membership: " + OutageTable.line(row));
            broken.addAll(broken(change, row));
        }
        assertThat(broken).isEmpty();
    }

    private static List<String> broken(Change change, Row row) {
        List<String> broken = new ArrayList<>();
        if (row.staying().failed() > 0) {
            broken.add(row.change() + ": " + row.staying().failed() + " reads of partitions that stay failed");
        }
        if (row.moving().longestMs() > change.limitMs) {
            broken.add(row.change() + ": partitions that move were away for "
                    + row.moving().longestMs() + " ms");
        }
        return broken;
    }

    private static Row measured(Change change) throws Exception {
        Instance victim = busiest();
        OWNERS.takeMoved();
        Set<Integer> moved = new TreeSet<>();
        long begin = System.nanoTime();
        if (change != Change.ADD) {
            moved.addAll(OWNERS.of(victim));
        }
        switch (change) {
            case RESTART -> {
                victim.stop();
                victim.start();
            }
            case KILL -> {
                victim.kill();
                awaitSettled();
            }
            case KILL_AND_REMOVE -> {
                victim.kill();
                remove(victim);
                awaitSettled();
            }
            case PAUSE -> pause(victim);
            case DRAIN -> {
                drain(victim);
                awaitSettled();
            }
            case ADD -> grow();
        }
        awaitSettled();
        rest(CALM);
        long end = System.nanoTime();
        moved.addAll(OWNERS.takeMoved());
        var during = reads.between(begin, end);
        assertThat(during).noneMatch(AnchorReads.Read::isWrong);
        Row row = TABLE.add(change.name(), (end - begin) / 1_000_000_000, ALL, moved, during);
        if (change == Change.ADD) {
            shrink();
        }
        comeBack();
        return row;
    }

    /** Everything runs again, and has its share, before the next change. */
    private static void comeBack() throws InterruptedException {
        for (Instance instance : INSTANCE) {
            instance.start();
        }
        Await.until("each instance has a share", LIMIT, () -> {
            String missing = OWNERS.look(INSTANCE);
            boolean isShared = INSTANCE.stream().noneMatch(one -> OWNERS.of(one).isEmpty());
            return isShared ? missing : OWNERS.owners().toString();
        });
        rest(CALM);
    }

    private static Instance add() {
        String name = "ebb-" + (INSTANCE.size() + 1);
        Instance instance = new Instance(
                        name, folder, stack.settingsFile(), FIRST_PORT + TestStack.portOffset() + INSTANCE.size())
                .heap(System.getProperty("membership.heap", "256m"))
                .setting("group.instance.id", name);
        for (String setting : System.getProperty("membership.settings", "").split(",", -1)) {
            if (!setting.isEmpty()) {
                instance.setting(
                        setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
            }
        }
        INSTANCE.add(instance);
        return instance;
    }

    private static Instance busiest() throws InterruptedException {
        OWNERS.look(INSTANCE);
        return INSTANCE.stream()
                .max((one, other) ->
                        Integer.compare(OWNERS.of(one).size(), OWNERS.of(other).size()))
                .orElseThrow();
    }

    private static void remove(Instance victim) throws Exception {
        Instance asked = other(victim);
        JsonNode answer = Rest.send("DELETE", asked.url(), "/v1/instances/" + victim.name() + "?reason=test", "")
                .body();
        System.out.println("membership: " + answer);
    }

    private static void pause(Instance victim) throws InterruptedException {
        victim.pause();
        try {
            long until = System.nanoTime() + PAUSE.toNanos();
            while (System.nanoTime() - until < 0) {
                OWNERS.look(INSTANCE);
                rest(Duration.ofMillis(500));
            }
        } finally {
            victim.resume();
        }
    }

    private static void drain(Instance victim) throws IOException, InterruptedException {
        victim.leaveAlone();
        assertThat(Rest.send("POST", victim.url(), "/v1/drain", "").status()).isEqualTo(200);
        victim.stop();
    }

    /** One more instance, without any state, takes its share. */
    private static void grow() throws IOException, InterruptedException {
        Instance fourth = add();
        fourth.start();
        reads.through(fourth);
        Await.until("the new instance has a share", LIMIT, () -> {
            OWNERS.look(INSTANCE);
            return OWNERS.of(fourth).isEmpty() ? OWNERS.owners().toString() : "";
        });
    }

    /** Not measured. */
    private static void shrink() throws IOException, InterruptedException {
        Instance fourth = INSTANCE.remove(INSTANCES);
        drain(fourth);
    }

    private static Instance other(Instance victim) {
        return INSTANCE.stream().filter(one -> one != victim).findFirst().orElseThrow();
    }

    private static void awaitSettled() throws InterruptedException {
        Await.until("every partition has an instance", LIMIT, () -> OWNERS.look(INSTANCE));
    }

    private static void rest(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }
}
