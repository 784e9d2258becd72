package dev.ebb.devstack.process;

import dev.ebb.stacks.Endpoints;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The application, {@code ebb run}. */
public final class AppProcess extends RevivedProcess {

    private static final String HOST = "127.0.0.1:";
    private static final String MEMBER = "dev";
    private static final String MAIN = "dev.ebb.cli.Main";

    private final @Nullable Ports ports;
    private final Consumer<String> moved;
    private final List<String> program;

    private volatile String listen;

    private volatile Map<String, String> settings = Map.of();

    /**
     * @param listen host and port of the API as set; null for the default
     * @param moved takes the new address if another port had to be taken, before the application listens on it
     * @param program command to run instead of {@code ebb run}, with the same arguments; empty for {@code ebb run}
     */
    public AppProcess(
            StackContext context, Ports ports, @Nullable String listen, Consumer<String> moved, List<String> program) {
        super(Service.APP, context);
        this.ports = listen == null ? ports : null;
        this.listen = listen == null ? HOST + ports.take(Service.APP) : listen;
        this.moved = moved;
        this.program = List.copyOf(program);
    }

    /** Starts the application with these settings, which override those of the stack's file, also at later starts. */
    public void start(Map<String, String> overrides) {
        settings = Map.copyOf(overrides);
        start();
    }

    public String url() {
        return "http://" + listen;
    }

    @Override
    public String address() {
        return url();
    }

    @Override
    public List<Integer> ports() {
        return ports == null ? List.of() : List.of(Integer.valueOf(listen.substring(HOST.length())));
    }

    /** Takes other ports. The rest of the stack does not depend on them, so only the application starts again. */
    @Override
    boolean takeOtherPorts() {
        if (ports == null) {
            return false;
        }
        listen = HOST + ports.take(Service.APP);
        moved.accept(url());
        return true;
    }

    /**
     * Returns all settings, with a group instance id that outlives the process. After a kill the application gets its
     * partitions back at once; without the id the broker would wait for the session of the dead member to time out.
     */
    private Map<String, String> allSettings() {
        var all = new TreeMap<>(Map.of("group.instance.id", MEMBER));
        all.putAll(settings);
        return all;
    }

    @Override
    public List<String> command() {
        var command = new ArrayList<>(program.isEmpty() ? ebbRun() : program);
        command.addAll(List.of("--config", Endpoints.file(context().dataDir()).toString()));
        allSettings().forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
        return command;
    }

    /**
     * Sets the same variable as the launcher: RocksDB spreads over as many arenas as it has threads, and arenas return
     * little memory.
     */
    @Override
    Map<String, String> environment() {
        return Map.of("MALLOC_ARENA_MAX", "2");
    }

    @Override
    public boolean isReady() throws IOException {
        return HttpProbe.isOk(url() + "/health/ready");
    }

    /** Long enough for a state that must be restored from the changelog. */
    @Override
    public Duration startLimit() {
        return Duration.ofMinutes(5);
    }

    @Override
    public Duration stopLimit() {
        return Duration.ofSeconds(40);
    }

    private List<String> ebbRun() {
        // As in the image: objects that survive two young collections are promoted, code that runs a few times a second
        // is not optimized, and nothing is sampled for tools.
        var options = new ArrayList<>(List.of(
                "-Xms64m",
                "-Xmx1g",
                "-XX:MaxTenuringThreshold=2",
                "-XX:Tier4InvocationThreshold=50000",
                "-XX:Tier4MinInvocationThreshold=6000",
                "-XX:Tier4CompileThreshold=150000",
                "-XX:-UsePerfData",
                "-cp",
                context().distribution().applicationJar().toString()));
        options.addAll(optionsOfUser());
        options.addAll(context().options(Service.APP));
        var command = context().distribution().java(options);
        command.addAll(List.of(MAIN, "run"));
        return command;
    }

    private static List<String> optionsOfUser() {
        var options = System.getenv().getOrDefault("EBB_JAVA_OPTS", "").strip();
        return options.isEmpty() ? List.of() : List.of(options.split("\\s+", -1));
    }
}
