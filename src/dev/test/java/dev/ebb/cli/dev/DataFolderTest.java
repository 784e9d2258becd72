package dev.ebb.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.cli.outcome.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

    @TempDir
    private Path folder;

    @Test
    void shouldDeleteWhatAStackLeft() throws IOException {
        // given
        Files.createFile(folder.resolve("lock"));
        Files.createDirectories(folder.resolve("broker/data"));

        // when
        DataFolder.clear(folder);

        // then
        assertThat(folder).doesNotExist();
    }

    @Test
    void shouldLeaveAloneFoldersThatNoStackMade() throws IOException {
        // given
        Path thesis = Files.createFile(folder.resolve("thesis.tex"));

        // then
        assertThatThrownBy(() -> DataFolder.clear(folder))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("not a data folder");
        assertThat(thesis).exists();
    }

    /** */
    @Test
    void shouldNotTakeTheRegistryAwayFromItsData() throws IOException {
        // given
        Files.createDirectories(folder.resolve("of-json/broker"));
        Files.createDirectories(folder.resolve("of-avro/registry"));

        // then
        DataFolder.requireJson(folder.resolve("missing"));
        DataFolder.requireJson(folder.resolve("of-json"));
        assertThatThrownBy(() -> DataFolder.requireJson(folder.resolve("of-avro")))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("--no-registry")
                .hasMessageContaining("--fresh");
    }

    @Test
    void shouldDoNothingWhereNothingIs() {
        DataFolder.clear(folder.resolve("missing"));
    }
}
