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
     * @param listen host and port of the API, as they were set; null for the usual ones
     * @param moved told the new address when another port had to be taken, before it listens there
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

    /** Starts it with these settings above those of the stack's file; they hold for later starts as well. */
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

    /** Nothing else of the stack has to know where it listens, so only its own start begins again. */
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
     * With a name that outlives it, the application has its partitions back at once after a kill; the broker would
     * otherwise wait for the dead one until its session times out.
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

    /** Set as by the launcher: RocksDB spreads over as many arenas as it has threads, and they give little back. */
    @Override
    Map<String, String> environment() {
        return Map.of("MALLOC_ARENA_MAX", "2");
    }

    @Override
    public boolean isReady() throws IOException {
        return HttpProbe.isOk(url() + "/health/ready");
    }

    /** Long enough for a state that has to be restored from the changelog. */
    @Override
    public Duration startLimit() {
        return Duration.ofMinutes(5);
    }

    @Override
    public Duration stopLimit() {
        return Duration.ofSeconds(40);
    }

    private List<String> ebbRun() {
        // As the image does: objects that outlive two collections of young objects stay, code that runs a few times a
        // second is not optimized, and nothing is sampled for tools.
        var options = new ArrayList<>(List.of(
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
