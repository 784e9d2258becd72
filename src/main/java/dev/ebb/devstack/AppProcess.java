package dev.ebb.devstack;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The application, {@code ebb run}. */
public final class AppProcess extends RevivedProcess {

    private static final String MEMBER = "dev";
    private static final String MAIN = "dev.ebb.cli.Main";

    private final String listen;
    private final List<String> program;

    private volatile Map<String, String> settings = Map.of();

    /**
     * @param listen host and port of the API, as somebody set them; null for the usual ones
     * @param program what to run instead of {@code ebb run}, with the same arguments; empty for {@code ebb run}
     */
    AppProcess(StackContext context, Ports ports, @Nullable String listen, List<String> program) {
        super(Service.APP, context);
        this.listen = listen == null ? "127.0.0.1:" + ports.take(Service.APP) : listen;
        this.program = List.copyOf(program);
    }

    /** Starts it with these settings above those of the stack's file; they hold for later starts as well. */
    public void start(Map<String, String> overrides) {
        settings = Map.copyOf(overrides);
        start();
    }

    String url() {
        return "http://" + listen;
    }

    @Override
    String address() {
        return url();
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
    List<String> command() {
        var command = new ArrayList<>(program.isEmpty() ? ebbRun() : program);
        command.addAll(List.of("--config", Endpoints.file(context().dataDir()).toString()));
        allSettings().forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
        return command;
    }

    /** As the launcher does: RocksDB spreads over as many arenas as it has threads, and they give little back. */
    @Override
    Map<String, String> environment() {
        return Map.of("MALLOC_ARENA_MAX", "2");
    }

    @Override
    boolean isReady() throws IOException {
        return HttpProbe.isOk(url() + "/health/ready");
    }

    /** Long enough for a state that has to be restored from the changelog. */
    @Override
    Duration startLimit() {
        return Duration.ofMinutes(5);
    }

    @Override
    Duration stopLimit() {
        return Duration.ofSeconds(40);
    }

    private List<String> ebbRun() {
        // As the launcher does: what outlives two collections of young objects stays.
        var options = new ArrayList<>(List.of(
                "-Xmx1g",
                "-XX:MaxTenuringThreshold=2",
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
