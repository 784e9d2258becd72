package dev.ebb.bench.stack;

import dev.ebb.config.Settings;
import dev.ebb.devstack.process.AppProcess;
import dev.ebb.devstack.process.Distribution;
import dev.ebb.devstack.process.Ports;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.StackContext;
import dev.ebb.devstack.process.StackObserver;
import dev.ebb.stacks.Endpoints;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A second instance of an application, in a separate process, with its own state. */
public final class SecondProcess implements AutoCloseable {

    private static final String NAME = "second";

    private final Path folder;
    private final Ports ports;
    private final AppProcess app;
    private final Thread stopOnExit;

    private SecondProcess(Path folder, Ports ports, AppProcess app) {
        this.folder = folder;
        this.ports = ports;
        this.app = app;
        this.stopOnExit = new Thread(app::stop, "second-stop");
    }

    /** Starts an instance beside a running application. */
    public static SecondProcess beside(EbbProcess first, Consumer<String> progress) {
        BenchStack stack = first.lane().stack();
        Path folder = stack.folder().resolve(NAME);
        StackObserver observer = StackObserver.lines(line -> progress.accept(NAME + ": " + line));
        StackContext context = new StackContext(
                folder,
                Distribution.locate(),
                observer,
                Map.of(Service.APP, BenchStack.APP_OPTIONS),
                new AtomicBoolean());
        Ports ports = new Ports(observer, 0);
        AppProcess app = new AppProcess(context, ports, null, url -> tell(stack, folder, url), List.of());
        makeFolder(context.pidFolder());
        tell(stack, folder, app.url());
        SecondProcess second = new SecondProcess(folder, ports, app);
        second.start(first.settings());
        return second;
    }

    /** Writes the settings file of the instance: the settings of the stack, and an address of its own. */
    private static void tell(BenchStack stack, Path folder, String url) {
        Properties settings = new Properties();
        try (Reader in = Files.newBufferedReader(stack.services().settingsFile())) {
            settings.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        settings.setProperty(Settings.API_LISTEN.key(), URI.create(url).getAuthority());
        try (Writer out = Files.newBufferedWriter(Endpoints.file(folder))) {
            settings.store(out, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void makeFolder(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void start(Map<String, String> shared) {
        Map<String, String> settings = new HashMap<>(shared);
        settings.put(Settings.STATE_DIR.key(), folder.resolve("state").toString());
        settings.put(Settings.GROUP_INSTANCE_ID.key(), NAME);
        Runtime.getRuntime().addShutdownHook(stopOnExit);
        app.start(settings);
    }

    /** Stops the instance and deletes its state. */
    @Override
    public void close() {
        app.stop();
        ports.close();
        Runtime.getRuntime().removeShutdownHook(stopOnExit);
        BenchStack.delete(folder);
    }
}
