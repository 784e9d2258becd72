package dev.ebb.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("O-28")
class FolderFaultTest {

    @TempDir
    private Path folder;

    @Test
    void shouldMakeAMissingFolder() {
        // given
        Path missing = folder.resolve("a/b");

        // then
        assertThat(FolderFault.of(missing)).isNull();
        assertThat(missing).isDirectory();
        assertThat(FolderFault.of(missing)).isNull();
    }

    @Test
    void shouldSayThatAFileIsInTheWay() throws IOException {
        // given
        Path file = Files.createFile(folder.resolve("file"));

        // then
        assertThat(FolderFault.of(file)).isEqualTo("a part of its path is a file");
        assertThat(FolderFault.of(file.resolve("below"))).isNotNull().doesNotContain(folder.toString());
    }

    @Test
    void shouldSayInWordsWhatJavaLeavesToTheTypeOfItsException() {
        assertThat(FolderFault.of(new AccessDeniedException("/x"))).isEqualTo("this user may not write there");
        assertThat(FolderFault.of(new NoSuchFileException("/x"))).isEqualTo("the folder above it does not exist");
        assertThat(FolderFault.of(new FileSystemException("/x", null, "Not a directory")))
                .isEqualTo("Not a directory");
        assertThat(FolderFault.of(new IOException("broken"))).isEqualTo("broken");
    }
}
