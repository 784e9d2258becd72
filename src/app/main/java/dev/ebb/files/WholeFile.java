package dev.ebb.files;

import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Objects;
import java.util.Set;

/**
 * Files that are there whole or not at all: the content is written beside the target, to a file that bears its rights
 * from the beginning, brought to the disk, and renamed into its place. No symbolic link in that place is followed.
 * Content is UTF-8. Stateless.
 */
public final class WholeFile {

    private static final String DRAFT = ".ebb-";
    private static final String DRAFT_END = ".new";

    private WholeFile() {}

    /** Writes the content of a file. */
    @FunctionalInterface
    public interface Content {
        /** Writes all of it; need not close. */
        void writeTo(Writer out) throws IOException;
    }

    /**
     * Writes a file that a person has named, in place of an existing one.
     *
     * @throws IOException if it cannot be written, or if something other than a file is in its place: a symbolic link, a
     *     folder, a device. The target is then unchanged
     */
    public static void write(Path target, Readers readers, Content content) throws IOException {
        requireFile(target);
        replace(target, readers, content);
    }

    /**
     * Writes a file of Ebb's own, in place of an existing one or of a symbolic link.
     *
     * @throws IOException if it cannot be written; the target is then unchanged
     */
    public static void replace(Path target, Readers readers, Content content) throws IOException {
        Path folder = folder(target);
        Path draft = draft(target, folder, rights(target, readers));
        try {
            try (Writer out = Files.newBufferedWriter(draft)) {
                content.writeTo(out);
            }
            force(draft, StandardOpenOption.WRITE);
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
        forceName(folder);
    }

    /**
     * Writes a new file.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is one, or a symbolic link to anything or nothing
     * @throws IOException if it cannot be written; the target is then not there
     */
    public static void create(Path target, Readers readers, Content content) throws IOException {
        // An empty file takes the name, so that one of two writers is refused; the content replaces it.
        Files.createFile(target, readers.ofNew());
        try {
            replace(target, readers, content);
        } catch (IOException e) {
            Files.deleteIfExists(target);
            throw e;
        }
    }

    /** Refuses whatever is no file, as its content would go elsewhere or the thing itself be lost. */
    private static void requireFile(Path target) throws IOException {
        if (Files.isSymbolicLink(target)) {
            throw refused(
                    target,
                    "it is a symbolic link to " + Files.readSymbolicLink(target)
                            + "; name that file itself, or delete the link");
        }
        if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            throw refused(target, "it is a folder");
        }
        if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
            throw refused(target, "it is a device or a pipe, and not a file");
        }
        if (!Files.isWritable(target)) {
            throw new AccessDeniedException(target.toString());
        }
    }

    private static FileAttribute<?> rights(Path target, Readers readers) throws IOException {
        return Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
                ? readers.inPlaceOf(Files.getPosixFilePermissions(target, LinkOption.NOFOLLOW_LINKS))
                : readers.ofNew();
    }

    private static Path draft(Path target, Path folder, FileAttribute<?> rights) throws IOException {
        try {
            return Files.createTempFile(folder, DRAFT, DRAFT_END, rights);
        } catch (AccessDeniedException e) {
            FileSystemException refused = refused(target, "this user may not make files in " + folder);
            refused.initCause(e);
            throw refused;
        }
    }

    private static FileSystemException refused(Path target, String reason) {
        return new FileSystemException(target.toString(), null, reason);
    }

    private static Path folder(Path target) {
        return Objects.requireNonNull(target.toAbsolutePath().getParent(), "a file, and not the root of a file system");
    }

    /** Brings the name to the disk. The file is in its place even where the file system has no way to do this. */
    private static void forceName(Path folder) {
        try {
            force(folder, StandardOpenOption.READ);
        } catch (IOException e) {
            // A folder that may be written but not read, or a file system that takes no such request.
        }
    }

    private static void force(Path path, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }

    /**
     * Appends a line to a file that a person has named, in one write, so that a reader sees all of the line or none of
     * it. Makes the file if it is missing; an existing one keeps its rights. Ends a last line that has no end.
     *
     * @throws IOException if it cannot be written, or if something other than a file is in its place
     */
    public static void append(Path target, Readers readers, String line) throws IOException {
        requireFile(target);
        Set<OpenOption> how = Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND,
                LinkOption.NOFOLLOW_LINKS);
        String begin = hasOpenLine(target) ? "\n" : "";
        try (FileChannel channel = FileChannel.open(target, how, readers.ofNew())) {
            append(channel, begin + line + "\n");
        }
        forceName(folder(target));
    }

    private static boolean hasOpenLine(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) == 0) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            channel.read(last, channel.size() - 1);
            return last.get(0) != '\n';
        }
    }

    private static void append(FileChannel channel, String text) throws IOException {
        long before = channel.size();
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        } catch (IOException e) {
            // A part of the line would be a fault that only the next reader finds.
            channel.truncate(before);
            throw e;
        }
    }
}
