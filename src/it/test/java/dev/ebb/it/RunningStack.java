package dev.ebb.it;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.CommandRun;
import dev.ebb.cli.client.ApiAddress;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestBroker;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.StackObserver;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.topology.wire.Topics;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The whole of Ebb, each service a process of its own, and the ways into it. */
final class RunningStack implements AutoCloseable {

    /** So small that a sweep of some thousand events takes seconds, and can be interrupted. */
    private static final int DELETES_PER_SLICE = 4;

    private final AtomicInteger startsOfApp = new AtomicInteger();
    private final TestBroker broker = TestBroker.ofBuild();
    private final DevStack stack;
    private final KafkaSession kafka;
    private final RestApi api;

    private RunningStack(Path folder) {
        long begin = System.nanoTime();
        var builder = TestStack.builder(folder)
                .withApp(false)
                .setting("sweep.batch.deletes", Integer.toString(DELETES_PER_SLICE))
                .setting("mirror.json", "on")
                .setting("brake.min.events", "1000000") // the scenarios are about sweeps that delete much
                .observer(observer());
        stack = broker.into(builder).start();
        kafka = new KafkaSession(EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), Map.of())));
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        api = new RestApi(ApiAddress.parse(stack.endpoints().apiUrl(), "the test"), Terminal.plain(nowhere, nowhere));
        say("services started", begin);
    }

    /** Starts everything; the topics are made before the application. */
    static RunningStack start(Path folder) {
        RunningStack running = new RunningStack(folder);
        long begin = System.nanoTime();
        try {
            running.kafka.topics(TopicAdmin::create);
            running.stack.app().start();
            say("application started", begin);
            return running;
        } catch (RuntimeException e) {
            running.close();
            throw e;
        }
    }

    /** Facts for a reader of the build's output. */
    static void say(String what, long beginNanos) {
        System.out.println("RetentionIT: " + what + " in "
                + Duration.ofNanos(System.nanoTime() - beginNanos).toMillis() + " ms");
    }

    DevStack services() {
        return stack;
    }

    KafkaSession kafka() {
        return kafka;
    }

    Topics topics() {
        return new Topics(
                kafka.config().get(Settings.TOPICS_PREFIX), kafka.config().get(Settings.TOPICS_PARTITIONS));
    }

    RestApi api() {
        return api;
    }

    JsonNode status() {
        return api.get(RestPath.of("v1", "status"));
    }

    CommittedTopic read(String topic) {
        return new CommittedTopic(stack.endpoints().bootstrapServers(), topic);
    }

    Connection sql() throws SQLException {
        return DriverManager.getConnection(
                stack.endpoints().jdbcUrl(),
                stack.endpoints().sqlUser(),
                stack.endpoints().sqlPassword());
    }

    /** Runs a command line of Ebb against the application and returns what it wrote. */
    String command(String... args) {
        CommandRun run = run(args);
        if (run.exitCode() != 0) {
            throw new AssertionError(List.of(args) + " ended with " + run.exitCode() + ": " + run.err());
        }
        return run.out();
    }

    /** Runs the program and returns its result, however it ends. */
    CommandRun run(String... args) {
        List<String> all = Stream.concat(
                        Stream.of(args), Stream.of("--api", stack.endpoints().apiUrl()))
                .toList();
        return CommandRun.of(all.toArray(String[]::new));
    }

    long pidOfApp() {
        return stack.app().pid().orElse(-1);
    }

    /** As {@code kill -9} does, behind the back of the stack. */
    void killApp() {
        ProcessHandle.of(stack.app().pid().orElseThrow()).orElseThrow().destroyForcibly();
    }

    void killBroker() {
        broker.kill(stack);
    }

    /** Returns when it answers. */
    void startBroker() {
        broker.start(stack);
    }

    int startsOfApp() {
        return startsOfApp.get();
    }

    @Override
    public void close() {
        stack.close();
    }

    private StackObserver observer() {
        return new StackObserver() {
            @Override
            public void ready(Service service, String address, long pid, Duration took) {
                if (service == Service.APP) {
                    startsOfApp.incrementAndGet();
                }
            }
        };
    }
}
