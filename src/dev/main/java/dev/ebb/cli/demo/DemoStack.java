package dev.ebb.cli.demo;

import dev.ebb.cli.client.ApiAddress;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.DevStackBuilder;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.StackObserver;
import dev.ebb.stacks.DevStackException;
import dev.ebb.stacks.Endpoints;
import dev.ebb.stacks.RunningStacks;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

/** A stack for the demonstration, with its topics, and access to its services. */
final class DemoStack implements AutoCloseable {

    private final DevStack stack;
    private final KafkaSession kafka;

    private DemoStack(DevStack stack) {
        this.stack = stack;
        EbbConfig config = EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), Map.of()));
        this.kafka = new KafkaSession(config);
    }

    /**
     * Starts everything but the application, and makes the topics.
     *
     * @param hasRegistry false to run without a registry
     * @param partitions number of partitions of the events topics
     */
    static DemoStack start(
            Path folder, StackObserver observer, RunningStacks running, boolean hasRegistry, int partitions) {
        try {
            DevStackBuilder builder = DevStack.builder(folder)
                    .withApp(false)
                    .setting("topics.partitions", Integer.toString(partitions))
                    .observer(observer)
                    .announceTo(running);
            if (!hasRegistry) {
                builder.without(Service.REGISTRY);
            }
            DemoStack demo = new DemoStack(builder.start());
            demo.kafka.topics(topics -> topics.create());
            return demo;
        } catch (DevStackException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    /** Starts the application, and returns when it answers. */
    void startApplication(Map<String, String> settings) {
        try {
            stack.app().start(settings);
        } catch (DevStackException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    KafkaSession kafka() {
        return kafka;
    }

    RestApi api(Terminal terminal) {
        return new RestApi(ApiAddress.parse(stack.endpoints().apiUrl(), "the demo"), terminal);
    }

    Connection sql() throws SQLException {
        Endpoints endpoints = stack.endpoints();
        return DriverManager.getConnection(endpoints.jdbcUrl(), endpoints.sqlUser(), endpoints.sqlPassword());
    }

    Endpoints endpoints() {
        return stack.endpoints();
    }

    void awaitClose() throws InterruptedException {
        stack.awaitClose();
    }

    @Override
    public void close() {
        stack.close();
    }
}
