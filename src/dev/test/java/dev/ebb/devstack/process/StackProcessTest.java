package dev.ebb.devstack.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.devstack.Await;
import dev.ebb.devstack.RecordingObserver;
import dev.ebb.devstack.ShellService;
import dev.ebb.stacks.DevStackException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
final class StackProcessTest {
    private static final String RUNS = "echo started; touch \"$1\"; exec sleep 100";
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    private Path dataDir;

    private final RecordingObserver seen = new RecordingObserver();
    private StackContext context;
    private ShellService service;

    @BeforeEach
    void setUp() {
        context = ShellService.context(dataDir, seen.observer());
    }

    @AfterEach
    void tearDown() {
        service.kill();
    }

    @Test
    void shouldReturnWhenTheServiceAnswers() {
        // given
        service = new ShellService(context, RUNS);

        // when
        service.start();

        // then
        assertThat(service.isRunning()).isTrue();
        assertThat(seen.lines()).hasSize(2);
        assertThat(seen.lines().get(1))
                .startsWith("broker ready on nowhere (pid " + service.pid().getAsLong());
        assertThat(service.logFile()).content().isEqualToIgnoringNewLines("started");
    }

    @Test
    void shouldStartOnlyOnce() {
        // given
        service = new ShellService(context, RUNS);
        service.start();
        var pid = service.pid();

        // when
        service.start();

        // then
        assertThat(service.pid()).isEqualTo(pid);
    }

    @Test
    void shouldShowTheEndOfTheLogWhenTheServiceEndsAtOnce() {
        // given
        service = new ShellService(context, "echo no room on the disk; exit 3");

        // when, then
        assertThatThrownBy(service::start)
                .isInstanceOf(DevStackException.class)
                .hasMessageContaining("exit code 3")
                .hasMessageContaining("no room on the disk");
        assertThat(service.isRunning()).isFalse();
        assertThat(pidFiles()).isEmpty();
    }

    @Test
    void shouldGiveUpOnAServiceThatNeverAnswers() {
        // given
        service = new ShellService(context, "echo thinking; exec sleep 100");

        // when, then
        assertThatThrownBy(service::start)
                .hasMessageContaining("did not answer within 2 s")
                .hasMessageContaining("thinking");
        assertThat(service.isRunning()).isFalse();
        assertThat(pidFiles()).isEmpty();
    }

    @Test
    void shouldStopWithTheSignalThatLetsTheServiceFinish() {
        // given
        service = new ShellService(
                context, "trap 'echo finished; exit 0' TERM; touch \"$1\"; while :; do sleep 0.05; done");
        service.start();

        // when
        service.stop();

        // then
        assertThat(service.isRunning()).isFalse();
        assertThat(service.logFile()).content().contains("finished");
        assertThat(service.deaths()).isZero();
        assertThat(pidFiles()).isEmpty();
    }

    @Test
    void shouldKillAServiceThatDoesNotStop() {
        // given
        service = new ShellService(context, "trap '' TERM; touch \"$1\"; while :; do sleep 0.05; done");
        service.start();
        var process = ProcessHandle.of(service.pid().getAsLong()).orElseThrow();

        // when
        service.stop();

        // then
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void shouldKillWhatTheServiceStartedAsWell() throws Exception {
        // given
        service = new ShellService(context, "sleep 100 & touch \"$1\"; wait");
        service.start();
        var process = ProcessHandle.of(service.pid().getAsLong()).orElseThrow();
        var child = process.children().findFirst().orElseThrow();

        // when
        service.kill();

        // then
        Await.until("the child has ended", SOON, () -> !child.isAlive());
        assertThat(process.isAlive()).isFalse();
        assertThat(service.deaths()).isZero();
    }

    @Test
    void shouldNoticeADeathThatNobodyAskedFor() throws Exception {
        // given
        service = new ShellService(context, RUNS);
        service.start();

        // when
        ProcessHandle.of(service.pid().getAsLong()).orElseThrow().destroyForcibly();

        // then
        Await.until("the death is noticed", SOON, () -> service.deaths() == 1);
        assertThat(service.isRunning()).isFalse();
        assertThat(seen.lines()).contains("broker ended with exit code 137");
        assertThat(pidFiles()).isEmpty();
    }

    @Test
    void shouldRunAgainAfterARestart() {
        // given
        service = new ShellService(context, RUNS);
        service.start();
        var before = service.pid();

        // when
        service.restart();

        // then
        assertThat(service.isRunning()).isTrue();
        assertThat(service.pid()).isNotEqualTo(before);
        assertThat(service.logFile()).content().isEqualToIgnoringNewLines("startedstarted");
    }

    @Test
    void shouldEndAWaitingStartWhenStopped() throws Exception {
        // given
        service = new ShellService(context, "exec sleep 100");
        var starting = CompletableFuture.runAsync(service::start);
        Await.until("the process runs", SOON, service::isRunning);

        // when
        service.stop();

        // then
        assertThatThrownBy(starting::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageEndingWith("broker was stopped before it was ready");
        assertThat(service.isRunning()).isFalse();
    }

    @Test
    void shouldNotStartInAClosedStack() {
        // given
        service = new ShellService(context, RUNS);
        context.closed().set(true);

        // when, then
        assertThatThrownBy(service::start).hasMessage("the stack is closed");
    }

    private Path[] pidFiles() {
        try {
            return PidFile.in(context.pidFolder()).stream().map(PidFile::file).toArray(Path[]::new);
        } catch (IOException e) {
            throw new AssertionError(Files.exists(context.pidFolder()) ? "unreadable" : "missing", e);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldNotTakeAnotherProcessOnItsPortForTheService() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // given
            service = new ShellService(
                    context, "touch \"$1\"; sleep 0.3; echo the port is taken; exit 1", taken.getLocalPort());

            // when, then
            assertThatThrownBy(service::start)
                    .isInstanceOf(DevStackException.class)
                    .hasMessageContaining("exit code 1")
                    .hasMessageContaining("the port is taken");
        }
    }
}
