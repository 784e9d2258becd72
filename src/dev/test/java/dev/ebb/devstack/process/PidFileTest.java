package dev.ebb.devstack.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.devstack.Leftovers;
import dev.ebb.devstack.RecordingObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PidFileTest {
    @TempDir
    private Path folder;

    @Test
    void shouldFindTheProcessThatItRemembers() throws IOException {
        // given
        var file = PidFile.of(folder, Service.CONNECT);

        // when
        file.write("TERM", ProcessHandle.current());

        // then
        assertThat(file.survivor()).contains(new PidFile.Survivor("connect", "TERM", ProcessHandle.current()));
    }

    @Test
    void shouldNotTakeALaterProcessWithTheSameNumberForTheOldOne() throws IOException {
        // given
        var file = PidFile.of(folder, Service.CONNECT);
        Files.writeString(file.file(), "TERM " + ProcessHandle.current().pid() + " 1000\n");

        // when, then
        assertThat(file.survivor()).isEmpty();
    }

    @Test
    void shouldNeverWriteThroughALink() throws IOException {
        for (String end : new String[] {"", ".new"}) {
            // given
            var file = PidFile.of(folder, Service.CONNECT);
            var goal = Files.writeString(folder.resolve("goal"), "mine");
            Files.createSymbolicLink(Path.of(file.file() + end), goal);

            // when
            file.write("TERM", ProcessHandle.current());

            // then
            assertThat(goal).hasContent("mine");
            assertThat(file.survivor()).isPresent();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.file())))
                    .isEqualTo("rw-------");
            file.delete();
        }
    }

    @Test
    void shouldIgnoreAFileThatWasNotWrittenToItsEnd() throws IOException {
        // given
        var file = PidFile.of(folder, Service.CONNECT);
        Files.writeString(file.file(), "TERM");

        // when, then
        assertThat(file.survivor()).isEmpty();
    }

    @Test
    void shouldListThoseFirstThatNeedTheOthers() throws IOException {
        // given
        for (Service service : Service.values()) {
            PidFile.of(folder, service).write("TERM", ProcessHandle.current());
        }

        // when, then
        assertThat(PidFile.in(folder))
                .extracting(file -> file.survivor().orElseThrow().service())
                .containsExactly("app", "connect", "registry", "postgres", "broker");
    }

    @Test
    void shouldStopAProcessThatWasLeftBehind() throws Exception {
        // given
        var seen = new RecordingObserver();
        var process = new ProcessBuilder("sleep", "100").start();
        PidFile.of(folder, Service.REGISTRY).write("TERM", process.toHandle());

        // when
        Leftovers.stop(folder, seen.observer());

        // then
        assertThat(process.isAlive()).isFalse();
        assertThat(PidFile.in(folder)).isEmpty();
        assertThat(seen.lines())
                .containsExactly(
                        "stopping registry (pid " + process.pid() + "), left over from a stack that was killed");
    }
}
