package dev.ebb.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunningStacksTest {
    @TempDir
    private Path home;

    private Path data;
    private RunningStacks stacks;

    @BeforeEach
    void setUp() {
        data = home.resolve("data");
        stacks = RunningStacks.of(Map.of("HOME", home.toString()));
    }

    @Test
    void shouldFindAStackThatRuns() throws IOException {
        try (var lock = StackLock.acquire(data)) {
            // given
            Files.createFile(Endpoints.file(data));
            var note = note(data);

            // when, then
            assertThat(stacks.settingsFiles()).containsExactly(Endpoints.file(data));
            assertThat(note).hasParentRaw(home.resolve(".ebb/run"));
            assertThat(mode(note)).isEqualTo("rw-------");
            assertThat(mode(note.getParent())).isEqualTo("rwx------");
        }
    }

    @Test
    void shouldForgetAStackThatWasKilled() throws IOException {
        // given
        var note = note(data);
        try (var lock = StackLock.acquire(data)) {
            Files.createFile(Endpoints.file(data));
        }

        // when, then
        assertThat(stacks.settingsFiles()).isEmpty();
        assertThat(note).doesNotExist();
    }

    @Test
    void shouldKeepTheNoteOfAStackThatIsStillStarting() throws IOException {
        try (var lock = StackLock.acquire(data)) {
            var note = note(data);

            assertThat(stacks.settingsFiles()).isEmpty();
            assertThat(note).exists();
        }
    }

    @Test
    void shouldForgetFilesThatAreNoNotes() throws IOException {
        // given
        var note = note(data);
        Files.writeString(note, "relative");

        // when, then
        assertThat(stacks.settingsFiles()).isEmpty();
        assertThat(note).doesNotExist();
    }

    @Test
    void shouldKeepNotesOfDifferentFoldersApart() {
        assertThat(stacks.noteOf(data)).isNotEqualTo(stacks.noteOf(home.resolve("other")));
        assertThat(stacks.noteOf(data)).isEqualTo(stacks.noteOf(data));
    }

    @Test
    void shouldPreferTheRunFolderOfTheSession() throws IOException {
        // given
        var session = Files.createDirectory(home.resolve("session"));

        // when
        var there = RunningStacks.of(Map.of("HOME", home.toString(), "XDG_RUNTIME_DIR", session.toString()));

        // then
        assertThat(there.noteOf(data)).get().extracting(Path::getParent).isEqualTo(session.resolve("ebb"));
    }

    @Test
    void shouldNoteNothingWhereTheUserHasNoFolder() {
        var nowhere = RunningStacks.of(
                Map.of("XDG_RUNTIME_DIR", home.resolve("missing").toString(), "HOME", ""));

        assertThat(nowhere.noteOf(data)).isEmpty();
        assertThat(nowhere.settingsFiles()).isEmpty();
    }

    private Path note(Path dataDir) throws IOException {
        return PrivateFiles.write(stacks.noteOf(dataDir).orElseThrow(), dataDir + "\n");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
