package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbProcess;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.PacedLoad;
import dev.ebb.bench.stack.Policies;
import dev.ebb.bench.stack.sql.SqlMirrorSetup;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * B-23: the load that Ebb is made for, 1000 events a minute of 200 bytes, each deleted after 20 s, on a stack as {@code
 * ebb dev} starts it. Beside it, PostgreSQL with the same events and a delete each second, without audit or consumers.
 */
public final class MissionBenchmark {

    private static final double PER_SECOND = 1000 / 60.0;
    private static final Duration MAX_AGE = Duration.ofSeconds(20);
    private static final int PARTITIONS = 4;
    private static final int PAYLOAD_BYTES = 200;
    private static final double PERCENT = 100;
    private static final double MEBI_IN_KIBI = 1024;

    private MissionBenchmark() {}

    /** Use until a moment; the CPU time of each process by its name. */
    private record Used(long nanos, Map<String, Duration> cpu, long offsets, long sent) {

        double percent(Used before, String process) {
            return PERCENT * time(process).minus(before.time(process)).toNanos() / (nanos - before.nanos);
        }

        private Duration time(String process) {
            return cpu.getOrDefault(process, Duration.ZERO);
        }
    }

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        Duration settle = settings.byLength(Duration.ofSeconds(30), Duration.ofSeconds(75), Duration.ofMinutes(4));
        Duration window = settings.byLength(Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofMinutes(10));
        RetentionPolicy policy = Policies.settled(RetentionPolicy.of(Scope.ALL)
                .anchor(Anchor.OCCURRED)
                .maxAge(Limit.of(MAX_AGE.toMillis()))
                .build());
        try (BenchStack stack = BenchStack.startAsForDevelopment(settings.folder(), progress)) {
            Lane lane = stack.lane("mission", PARTITIONS);
            lane.renewAllTopics();
            new Policies(lane).putInForce(policy);
            List<Figure> figures = new ArrayList<>();
            try (EbbProcess app = EbbProcess.start(lane);
                    PacedLoad load = new PacedLoad(
                            lane,
                            PER_SECOND,
                            (long) (PER_SECOND * (settle.plus(window).toSeconds() + 60)),
                            settings.seed(),
                            event -> {})) {
                progress.accept("warm in " + settle.toSeconds() + " s");
                TimeUnit.MILLISECONDS.sleep(settle.toMillis());
                Map<String, Long> processes = new LinkedHashMap<>();
                processes.put("instance", app.pid());
                services(stack).forEach((name, pid) -> processes.put(name, pid.orElseThrow()));
                Used before = used(lane, processes, load);
                TimeUnit.MILLISECONDS.sleep(window.toMillis());
                load.requireSending();
                figures.addAll(figures(before, used(lane, processes, load), processes, progress));
                if (app.events() > 2 * PER_SECOND * MAX_AGE.toSeconds()) {
                    throw new VoidRunException("events are not deleted: " + app.events() + " are stored");
                }
            }
            figures.add(postgres(stack, lane, settings.byLength(5, 40, 300)));
            return figures;
        }
    }

    private static Map<String, OptionalLong> services(BenchStack stack) {
        Map<String, OptionalLong> services = new LinkedHashMap<>();
        services.put("broker", stack.services().broker().pid());
        services.put("Connect", stack.services().connect().pid());
        services.put("PostgreSQL", stack.services().postgres().pid());
        services.put("registry", stack.services().registry().pid());
        return services;
    }

    private static Used used(Lane lane, Map<String, Long> processes, PacedLoad load) throws InterruptedException {
        Map<String, Duration> cpu = new LinkedHashMap<>();
        processes.forEach((name, pid) -> cpu.put(name, new CpuMeter(OptionalLong.of(pid)).ofOthers()));
        return new Used(System.nanoTime(), cpu, offsets(lane), load.sent());
    }

    /** Returns the ends of all partitions of all topics, added up: each record and each marker is one offset. */
    private static long offsets(Lane lane) throws InterruptedException {
        try (Admin admin = lane.clients().admin()) {
            Map<TopicPartition, OffsetSpec> ends = new LinkedHashMap<>();
            var topics = admin.listTopics(new ListTopicsOptions().listInternal(true));
            admin.describeTopics(topics.names().get())
                    .allTopicNames()
                    .get()
                    .values()
                    .forEach(topic -> topic.partitions()
                            .forEach(partition -> ends.put(
                                    new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest())));
            return admin.listOffsets(ends).all().get().values().stream()
                    .mapToLong(end -> end.offset())
                    .sum();
        } catch (ExecutionException e) {
            throw new VoidRunException("the broker does not tell where topics end: " + e.getMessage(), e);
        }
    }

    private static List<Figure> figures(
            Used before, Used after, Map<String, Long> processes, Consumer<String> progress) {
        Map<String, Double> memory = new LinkedHashMap<>();
        processes.forEach((name, pid) -> memory.put(name, mebibytes(pid)));
        progress.accept(processes.keySet().stream()
                .map(name -> String.format(
                        Locale.ROOT, "%s %.2f %%, %.0f MiB", name, after.percent(before, name), memory.get(name)))
                .collect(Collectors.joining("; ")));
        double all = processes.keySet().stream()
                .mapToDouble(name -> after.percent(before, name))
                .sum();
        double allMemory =
                memory.values().stream().mapToDouble(Double::doubleValue).sum();
        double perEvent = (after.offsets - before.offsets) / (double) (after.sent - before.sent);
        double ofInstance = memory.getOrDefault("instance", 0.0);
        String core = "% of a core";
        return List.of(
                alone(
                        "B-23",
                        "CPU of the instance at 1,000 events a minute",
                        core,
                        2,
                        1,
                        after.percent(before, "instance")),
                alone("B-23-all", "CPU of all processes", core, 6, 3, all),
                alone("B-23-memory", "memory (Pss) of the instance", "MiB", 300, 200, ofInstance),
                alone("B-23-memory-all", "memory (Pss) of all processes", "MiB", 800, 500, allMemory),
                alone("B-23-log", "log offsets an event, all topics", "offsets", 5, 3, perEvent));
    }

    private static Figure alone(String id, String name, String unit, double gate, double aim, double value) {
        return Figure.alone(id, name, unit, Target.valueAtMost(gate, aim), List.of(value));
    }

    /** Returns the share of the memory of a process and its children: what they share counts once. */
    private static double mebibytes(long pid) {
        return ProcessHandle.of(pid).stream()
                        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                        .mapToLong(process -> pssKib(process.pid()))
                        .sum()
                / MEBI_IN_KIBI;
    }

    private static long pssKib(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "smaps_rollup"))) {
            return lines.filter(line -> line.startsWith("Pss:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        } catch (IOException e) {
            throw new VoidRunException("the system does not tell the memory of process " + pid, e);
        }
    }

    /** Writes the same events into a table and deletes the old ones each second. */
    private static Figure postgres(BenchStack stack, Lane lane, int seconds) throws InterruptedException {
        CpuMeter cpu = new CpuMeter(stack.services().postgres().pid());
        try (SqlMirrorSetup mirror = SqlMirrorSetup.start(lane);
                Connection connection = mirror.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE mission (id bigint PRIMARY KEY, stream text, at timestamptz, payload bytea);"
                            + " CREATE INDEX ON mission (at)");
            Duration before = cpu.ofOthers();
            long begin = System.nanoTime();
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO mission VALUES (?, ?, now(), ?)")) {
                for (int i = 0; i < seconds * PER_SECOND; i++) {
                    insert.setLong(1, i);
                    insert.setString(2, "bench/paced-" + i % 1000);
                    insert.setBytes(3, new byte[PAYLOAD_BYTES]);
                    insert.executeUpdate();
                    if (i % (int) PER_SECOND == 0) {
                        statement.execute(
                                "DELETE FROM mission WHERE at < now() - interval '" + MAX_AGE.toSeconds() + " s'");
                    }
                    TimeUnit.NANOSECONDS.sleep(begin + (long) (i / PER_SECOND * 1e9) - System.nanoTime());
                }
            }
            double percent = PERCENT * cpu.ofOthers().minus(before).toNanos() / (System.nanoTime() - begin);
            return Figure.alone(
                    "B-23-sql",
                    "CPU of PostgreSQL with a delete each second, and nothing else",
                    "% of a core",
                    Target.REPORTED,
                    List.of(percent));
        } catch (SQLException e) {
            throw new VoidRunException("PostgreSQL fails: " + e.getMessage(), e);
        }
    }
}
