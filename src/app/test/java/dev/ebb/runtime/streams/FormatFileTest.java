package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.runtime.life.RefusedException;
import dev.ebb.store.layout.StateFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormatFileTest {

    private static final String FORMAT = "format=" + StateFormat.current().number();

    @TempDir
    private Path folder;

    @Test
    void shouldNameTheFormatInANewFolderAndFindItAgain() throws IOException {
        // given
        Path state = folder.resolve("state/ebb");

        // when
        new FormatFile(state).claim();
        new FormatFile(state).claim();

        // then
        assertThat(Files.readString(state.resolve("ebb-format.properties"))).contains(FORMAT, "version=");
    }

    @Test
    void shouldRefuseTheFileOfANewerVersionAndLeaveItAsItIs() throws IOException {
        // given
        int newer = StateFormat.current().number() + 1;
        String written = "format=" + newer + "\nversion=9.9.9\n";
        Path file = Files.writeString(folder.resolve("ebb-format.properties"), written);

        // then
        assertThatThrownBy(() -> new FormatFile(folder).claim())
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("the state in " + folder + " was written by Ebb 9.9.9 in format " + newer)
                .hasMessageContaining("has changed nothing")
                .hasMessageContaining("docs/operations/upgrade.md");
        assertThat(Files.readString(file)).isEqualTo(written);
    }

    /** Neither behind the name of the file nor behind that of a draft of it. */
    @ParameterizedTest
    @ValueSource(strings = {"ebb-format.properties", "ebb-format.properties.new"})
    void shouldNeverWriteThroughALink(String name) throws IOException {
        // given
        Path goal = Files.writeString(folder.resolve("goal"), FORMAT + "\nversion=mine\n");
        Path state = Files.createDirectory(folder.resolve("state"));
        Files.createSymbolicLink(state.resolve(name), goal);

        // when
        new FormatFile(state).claim();

        // then
        assertThat(goal).hasContent(FORMAT + "\nversion=mine\n");
        assertThat(state.resolve("ebb-format.properties")).content().contains(FORMAT);
        assertThat(Files.isSymbolicLink(state.resolve("ebb-format.properties"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "format=two", "\u0000"})
    void shouldSayWhatToDoAboutAFileThatIsDamaged(String content) throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("ebb-format.properties"), content);

        // then
        assertThatThrownBy(() -> new FormatFile(folder).claim())
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("delete that file if it is damaged");
        assertThat(Files.readString(file)).isEqualTo(content);
    }
}
