package dev.ebb.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.cli.outcome.CommandFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("O-16")
class InputFileTest {

    @TempDir
    Path folder;

    /** A shell makes one of {@code <(...)}. */
    @Test
    void shouldReadAPipe() throws Exception {
        // given
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        CompletableFuture<Path> written = CompletableFuture.supplyAsync(() -> write(pipe));

        // when
        String text = InputFile.of(pipe.toString(), null).text();

        // then
        assertThat(text).isEqualTo("policies: []\n");
        written.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldSayWhyAFileCannotBeRead() {
        assertThatThrownBy(() -> InputFile.of(folder.toString(), null))
                .isInstanceOf(CommandFailure.class)
                .hasMessageEndingWith("it is a folder");
        assertThatThrownBy(() -> InputFile.of(folder.resolve("none").toString(), null))
                .isInstanceOf(CommandFailure.class)
                .hasMessageEndingWith("it does not exist");
    }

    private static Path write(Path pipe) {
        try {
            return Files.writeString(pipe, "policies: []\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
