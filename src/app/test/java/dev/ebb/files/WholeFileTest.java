package dev.ebb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WholeFileTest {

    @TempDir
    private Path folder;

    /** Writes files as the program does; run under another umask. */
    static final class Umask {
        public static void main(String[] folder) throws IOException {
            Path in = Path.of(folder[0]);
            WholeFile.write(in.resolve("written"), Readers.ALL, out -> out.write("new"));
            WholeFile.create(in.resolve("created"), Readers.ALL, out -> out.write("new"));
            WholeFile.create(in.resolve("secret"), Readers.OWNER, out -> {
                out.write("new");
                // The rights are there before the content is whole.
                try (Stream<Path> drafts = Files.list(in)) {
                    for (Path draft : drafts.filter(file -> file.toString().endsWith(".new"))
                            .toList()) {
                        Files.writeString(in.resolve("draft"), rights(draft));
                    }
                }
            });
            WholeFile.append(in.resolve("appended"), Readers.OWNER, "new");
        }
    }

    @ParameterizedTest
    @CsvSource({"000, rw-r--r--", "022, rw-r--r--", "027, rw-r-----", "077, rw-------"})
    void shouldLetNoOtherAccountWriteWhateverTheUmask(String umask, String forAll) throws Exception {
        // when
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "umask $0 && exec \"$@\"",
                        umask,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classes(WholeFile.class) + ":" + classes(WholeFileTest.class),
                        Umask.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());

        // then
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(rights(folder.resolve("written"))).isEqualTo(forAll);
        assertThat(rights(folder.resolve("created"))).isEqualTo(forAll);
        assertThat(rights(folder.resolve("secret"))).isEqualTo("rw-------");
        assertThat(folder.resolve("draft")).hasContent("rw-------");
        assertThat(rights(folder.resolve("appended"))).isEqualTo("rw-------");
    }

    @Test
    void shouldReplaceAFileAndOpenItToNoFurtherAccount() throws IOException {
        for (String before : new String[] {"rw-------", "rw-r-----", "rw-rw-rw-"}) {
            // given
            Path file = Files.writeString(folder.resolve("a"), "a former, longer text");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(before));

            // when
            WholeFile.write(file, Readers.ALL, out -> out.write("néw\n"));

            // then
            assertThat(file).hasContent("néw\n");
            assertThat(rights(file)).isEqualTo(before.replace("rw-rw-rw-", "rw-r--r--"));
            assertNothingElse("a");
        }
    }

    /** The other name is another file for whoever made it. */
    @Test
    void shouldLeaveAnotherNameOfTheFormerFileAlone() throws IOException {
        // given
        Path other = Files.writeString(folder.resolve("other"), "former");
        Path file = Files.createLink(folder.resolve("a"), other);

        // when
        WholeFile.write(file, Readers.ALL, out -> out.write("new"));

        // then
        assertThat(other).hasContent("former");
        assertThat(file).hasContent("new");
    }

    @Test
    void shouldRefuseALinkToAFileToAFolderAndToNothing() throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("file"), "former");
        Path below = Files.createDirectory(folder.resolve("folder"));
        for (Path goal : new Path[] {file, below, folder.resolve("nothing")}) {
            Path link = Files.createSymbolicLink(folder.resolve("link-" + goal.getFileName()), goal);

            // then
            String why = "it is a symbolic link to " + goal + "; name that file itself";
            assertThatThrownBy(() -> WholeFile.write(link, Readers.ALL, out -> out.write("new")))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining(why);
            assertThatThrownBy(() -> WholeFile.append(link, Readers.OWNER, "new"))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining(why);
            assertThatThrownBy(() -> WholeFile.create(link, Readers.OWNER, out -> out.write("new")))
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThat(Files.readSymbolicLink(link)).isEqualTo(goal);
        }
        assertThat(file).hasContent("former");
        assertThat(folder.resolve("nothing")).doesNotExist();
        assertNothingElse("file", "folder", "link-file", "link-folder", "link-nothing");
    }

    @Test
    void shouldReplaceALinkInTheFolderOfItsOwn() throws IOException {
        // given
        Path goal = Files.writeString(folder.resolve("goal"), "former");
        Path link = Files.createSymbolicLink(folder.resolve("link"), goal);

        // when
        WholeFile.replace(link, Readers.OWNER, out -> out.write("new"));

        // then
        assertThat(goal).hasContent("former");
        assertThat(link).isRegularFile().hasContent("new");
        assertThat(Files.isSymbolicLink(link)).isFalse();
    }

    /** The folder may be behind a link: its owner has made it. */
    @Test
    void shouldWriteBelowALinkToAFolder() throws IOException {
        // given
        Path below = Files.createDirectory(folder.resolve("folder"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), below);

        // when
        WholeFile.write(link.resolve("a"), Readers.ALL, out -> out.write("new"));

        // then
        assertThat(below.resolve("a")).hasContent("new");
    }

    @Test
    void shouldRefuseAFolderAPipeAndAFolderThatIsMissing() throws Exception {
        // given
        Path below = Files.createDirectory(folder.resolve("folder"));
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        // then
        assertThatThrownBy(() -> WholeFile.write(below, Readers.ALL, out -> out.write("new")))
                .hasMessageContaining("it is a folder");
        assertThatThrownBy(() -> WholeFile.append(below, Readers.ALL, "new")).hasMessageContaining("it is a folder");
        assertThatThrownBy(() -> WholeFile.write(pipe, Readers.ALL, out -> out.write("new")))
                .hasMessageContaining("it is a device or a pipe");
        assertThatThrownBy(() -> WholeFile.append(pipe, Readers.ALL, "new"))
                .hasMessageContaining("it is a device or a pipe");
        Path missing = folder.resolve("missing").resolve("a");
        assertThatThrownBy(() -> WholeFile.write(missing, Readers.ALL, out -> out.write("new")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> WholeFile.create(missing, Readers.ALL, out -> out.write("new")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> WholeFile.append(missing, Readers.ALL, "new")).isInstanceOf(NoSuchFileException.class);
        assertNothingElse("folder", "pipe");
    }

    @Test
    void shouldKeepTheFormerFileIfTheContentFails() throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("a"), "former");

        // when
        assertThatThrownBy(() -> WholeFile.write(file, Readers.ALL, WholeFileTest::fail))
                .hasMessage("no room");

        // then
        assertThat(file).hasContent("former");
        assertNothingElse("a");
    }

    @Test
    void shouldNotCreateAFileIfTheContentFails() throws IOException {
        assertThatThrownBy(() -> WholeFile.create(folder.resolve("a"), Readers.OWNER, WholeFileTest::fail))
                .hasMessage("no room");

        assertNothingElse();
    }

    @Test
    void shouldNeverReplaceWhatItCreates() throws IOException {
        // given
        Path file = folder.resolve("a");
        WholeFile.create(file, Readers.OWNER, out -> out.write("former"));

        // then
        assertThatThrownBy(() -> WholeFile.create(file, Readers.OWNER, out -> out.write("new")))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("former");
        assertNothingElse("a");
    }

    @ParameterizedTest
    @CsvSource({"'', 'new|'", "'a|', 'a|new|'", "'a', 'a|new|'", "'a||', 'a||new|'"})
    void shouldAppendALineOfItsOwn(String before, String after) throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("a"), before.replace('|', '\n'));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        // when
        WholeFile.append(file, Readers.OWNER, "new");

        // then
        assertThat(Files.readString(file)).isEqualTo(after.replace('|', '\n'));
        assertThat(rights(file)).isEqualTo("rw-r-----");
    }

    private static void fail(Writer out) throws IOException {
        out.write("half");
        throw new IOException("no room");
    }

    private void assertNothingElse(String... names) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder(names);
        }
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
    }

    private static String classes(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }
}
