package dev.ebb.runtime;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestBroker;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.Service;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Services for all tests of a process, started when they are first asked for, and topics of its own for each test. */
public final class SharedStack {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static @Nullable DevStack stack;
    private static boolean hasSql;

    private SharedStack() {}

    /** Settings for one instance alone. */
    public static EbbConfig config(Map<String, String> flags) {
        String name = name();
        Map<String, String> all = new HashMap<>(flags);
        all.putIfAbsent("application.id", name);
        all.putIfAbsent("topics.prefix", name + ".");
        all.putIfAbsent("state.dir", Path.of("target", "it", "state").toString());
        all.putIfAbsent("topics.partitions", "2");
        return EbbConfig.load(ConfigSources.of(stack().settingsFile(), Map.of(), all));
    }

    /** A name that no other test has, for an application and the beginning of its topics. */
    public static String name() {
        return "it" + System.currentTimeMillis() + "-" + TESTS.incrementAndGet();
    }

    /** Broker, registry, PostgreSQL and Connect; the settings file of the stack does not know the last two. */
    public static synchronized DevStack withSql() {
        DevStack all = stack();
        if (!hasSql) {
            all.postgres().start();
            all.connect().start();
            hasSql = true;
        }
        return all;
    }

    /** The settings of the stack, for an instance in a process of its own. */
    public static Path settingsFile() {
        return stack().settingsFile();
    }

    /** Starts the stack at its first use, so that a test that cannot have it is skipped and does not fail. */
    private static synchronized DevStack stack() {
        if (stack == null) {
            // Each process of tests has its own, like its ports.
            var builder = TestStack.builder(Path.of("target", "it", "runtime-" + TestStack.portOffset()))
                    .without(Service.POSTGRES, Service.CONNECT)
                    .withApp(false);
            stack = TestBroker.ofBuild().into(builder).start();
        }
        return stack;
    }
}
