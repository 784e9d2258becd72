package dev.ebb.devstack.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.devstack.AppStub;
import dev.ebb.devstack.Await;
import dev.ebb.devstack.RecordingObserver;
import dev.ebb.devstack.ShellService;
import dev.ebb.stacks.DevStackException;
import dev.ebb.stacks.Endpoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class AppProcessTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path dataDir;

    private final RecordingObserver seen = new RecordingObserver();
    private final List<String> moved = new CopyOnWriteArrayList<>();
    private AppProcess app;

    @BeforeEach
    void setUp() throws IOException {
        var context = ShellService.context(dataDir, seen.observer());
        app = new AppProcess(context, new Ports(StackObserver.SILENT), null, this::move, AppStub.program());
        publish(app.url());
    }

    @AfterEach
    void tearDown() {
        app.kill();
    }

    @Test
    void shouldPassTheSettingsOfTheStackAndThoseOfTheStart() {
        // when
        app.start(Map.of("sweep.interval", "1s", "application.id", "other"));

        // then
        assertThat(app.logFile())
                .content()
                .contains("arguments --config " + dataDir.resolve("ebb.properties")
                        + " --set application.id=other --set group.instance.id=dev --set sweep.interval=1s");
    }

    @Test
    void shouldBeStartedAgainWhenItIsKilledFromOutside() throws Exception {
        // given
        app.start(Map.of("sweep.interval", "1s"));
        long first = app.pid().orElseThrow();

        // when
        ProcessHandle.of(first).orElseThrow().destroyForcibly();

        // then
        Await.until("a new process is ready", SOON, () -> readyLines() == 2);
        assertThat(app.pid().orElseThrow()).isNotEqualTo(first);
        assertThat(seen.lines()).contains("app ended with exit code 137", "starting app again in 1.0 s");
        assertThat(app.logFile()).content().containsSubsequence("sweep.interval=1s", "sweep.interval=1s");
    }

    /** Without its worker the mirror would fall behind for ever; what a revival is, the test above shows. */
    @Test
    void shouldShareItsRevivalsWithTheWorkerOfTheMirror() {
        assertThat(app).isInstanceOf(RevivedProcess.class);
        assertThat(ConnectProcess.class).isAssignableTo(RevivedProcess.class);
    }

    @Test
    void shouldStayDownWhenItIsKilledOnPurpose() throws Exception {
        // given
        app.start();
        var process = ProcessHandle.of(app.pid().orElseThrow()).orElseThrow();

        // when
        app.kill();

        // then
        process.onExit().get();
        assertThat(app.isRunning()).isFalse();
        assertThat(app.isWanted()).isFalse();
        assertThat(seen.saw("again")).isFalse();
    }

    @Test
    void shouldStayDownWhenItIsStoppedWhileItWaitsToBeStartedAgain() throws Exception {
        // given
        app.start();
        ProcessHandle.of(app.pid().orElseThrow()).orElseThrow().destroyForcibly();
        Await.until("the death is seen", SOON, () -> seen.saw("starting app again"));

        // when
        app.stop();

        // then
        assertThat(app.isWanted()).isFalse();
        assertThat(readyLines()).isEqualTo(1);
    }

    @Test
    void shouldMoveToAnotherPortWhenItsOwnIsTakenBeforeItListens() throws IOException {
        // given
        int lost = app.ports().get(0);
        try (var taken = new ServerSocket(lost, 1, InetAddress.getLoopbackAddress())) {
            // when
            app.start(Map.of());
        }

        // then
        assertThat(app.ports()).singleElement().isNotEqualTo(lost);
        assertThat(moved).containsExactly(app.url());
        assertThat(seen.lines()).contains("port of app was taken meanwhile, trying another");
    }

    @Test
    void shouldStayWhereSomebodySaysThatItListens() throws IOException {
        // given
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var listen = "127.0.0.1:" + taken.getLocalPort();
            var context = ShellService.context(dataDir, seen.observer());
            var fixed = new AppProcess(context, new Ports(StackObserver.SILENT), listen, this::move, AppStub.program());
            publish(fixed.url());

            // when, then
            assertThatThrownBy(() -> fixed.start(Map.of()))
                    .isInstanceOf(DevStackException.class)
                    .hasMessageContaining("ended with exit code 1");
        }
        assertThat(moved).isEmpty();
    }

    private void move(String url) {
        moved.add(url);
        try {
            publish(url);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void publish(String url) throws IOException {
        var password = dataDir.resolve("password");
        new Endpoints("broker:1", "http://registry", "http://connect", "jdbc:x", "user", "secret", password, url)
                .write(dataDir, Map.of());
    }

    private long readyLines() {
        return seen.lines().stream()
                .filter(line -> line.startsWith("app ready"))
                .count();
    }

    @Test
    void shouldBeAskedWhereSomebodySaysThatItListens() throws IOException {
        var context = ShellService.context(dataDir, seen.observer());

        var there =
                new AppProcess(context, new Ports(StackObserver.SILENT), "127.0.0.1:7", this::move, AppStub.program());

        assertThat(there.url()).isEqualTo("http://127.0.0.1:7");
    }
}
