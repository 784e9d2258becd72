package dev.ebb.it;

import dev.ebb.cli.CommandRun;
import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.ClassArchives;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestStack;
import dev.ebb.runtime.kafka.TopicAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Runs all services and the application once before the tests, so that each leaves an {@linkplain ClassArchives archive} of the
 * classes that it loads until an event is in SQL and gone again. Does nothing where the archives are there already.
 */
final class ArchiveRehearsal {

    private ArchiveRehearsal() {}

    public static void main(String[] args) throws Exception {
        if (ClassArchives.areThere()) {
            return;
        }
        Path folder = Files.createTempDirectory("ebb-archives");
        try {
            var builder = TestStack.builder(folder.resolve("stack")).withApp(false);
            try (DevStack stack = ClassArchives.recordInto(builder).start()) {
                perform(stack);
                // To write an archive takes one core some seconds.
                Stream.of(stack.app(), stack.connect(), stack.registry())
                        .map(service -> CompletableFuture.runAsync(service::stop))
                        .toList()
                        .forEach(CompletableFuture::join);
            }
            ClassArchives.keep();
        } finally {
            delete(folder);
        }
    }

    private static void perform(DevStack stack) throws Exception {
        EbbConfig config = EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), Map.of()));
        new KafkaSession(config).topics(TopicAdmin::create);
        stack.app().start();
        String event = "{\"id\":\"e\",\"type\":\"t\",\"payload\":{\"n\":1}}";
        call(stack, event, "produce", "-k", "shop/1", "-f", "-");
        awaitRows(stack, 1);
        call(stack, "", "policy", "set", "namespace:shop", "--max-age", "1d", "--reason", "rehearsal");
        for (String command : List.of("status", "stream list", "event list shop/1", "explain shop/1 e", "audit list")) {
            call(stack, "", command.split(" ", -1));
        }
        call(stack, "", "delete", "shop/1", "--reason", "rehearsal", "--yes");
        awaitRows(stack, 0);
    }

    private static void call(DevStack stack, String input, String... words) {
        String[] all = Stream.concat(
                        Stream.of(words),
                        Stream.of("--config", stack.settingsFile().toString()))
                .toArray(String[]::new);
        CommandRun run = CommandRun.of(Map.of(), input, Path.of(""), all);
        if (run.exitCode() != 0) {
            throw new IllegalStateException(run.toString());
        }
    }

    private static void awaitRows(DevStack stack, int expected) throws Exception {
        try (Connection sql = DriverManager.getConnection(
                        stack.endpoints().jdbcUrl(),
                        stack.endpoints().sqlUser(),
                        stack.endpoints().sqlPassword());
                Statement statement = sql.createStatement()) {
            Await.until("SQL has " + expected + " rows", () -> {
                try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM event")) {
                    rows.next();
                    return rows.getInt(1) == expected ? "" : rows.getInt(1) + " rows";
                }
            });
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
