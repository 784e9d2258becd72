package dev.ebb.devstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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
    private AppProcess app;

    @BeforeEach
    void setUp() throws IOException {
        var context = ShellService.context(dataDir, seen.observer());
        app = new AppProcess(context, new Ports(StackObserver.SILENT), null, AppStub.program());
        new Endpoints("broker:1", "http://registry", "http://connect", "jdbc:x", "user", "password", app.url())
                .write(dataDir, Map.of());
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

    private long readyLines() {
        return seen.lines().stream()
                .filter(line -> line.startsWith("app ready"))
                .count();
    }

    @Test
    void shouldBeAskedWhereSomebodySaysThatItListens() throws IOException {
        var context = ShellService.context(dataDir, seen.observer());

        var there = new AppProcess(context, new Ports(StackObserver.SILENT), "127.0.0.1:7", AppStub.program());

        assertThat(there.url()).isEqualTo("http://127.0.0.1:7");
    }
}
