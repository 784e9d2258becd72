package dev.ebb.cli.options;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** A named file: plain, or compressed if its name ends in {@code .gz}; {@code -} is standard input. */
public record InputFile(String name, InputStream in, long bytes) {

    private static final String STANDARD_INPUT = "-";
    private static final int BUFFER = 1 << 16;

    /** Opens the file; the caller closes the stream. */
    public static InputFile of(String name, CommandEnvironment context) {
        if (name.equals(STANDARD_INPUT)) {
            return new InputFile("standard input", context.in(), 0);
        }
        if (name.isEmpty()) {
            throw CommandFailure.usage("the name of a file must not be empty");
        }
        Path path = Path.of(name);
        // A pipe, or what a shell makes of <(...), is no regular file and can be read as well.
        if (!Files.exists(path) || Files.isDirectory(path) || !Files.isReadable(path)) {
            throw CommandFailure.usage("cannot read " + name + ": " + reason(path));
        }
        try {
            return Files.isRegularFile(path)
                    ? new InputFile(name, Files.newInputStream(path), Files.size(path))
                    : new InputFile(name, ofPipe(path), 0);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot read " + name + ": " + e.getMessage(), e);
        }
    }

    /** Returns a stream that only reads: a pipe has no size and no position, for which other methods ask. */
    private static InputStream ofPipe(Path path) throws IOException {
        return new FilterInputStream(new FileInputStream(path.toFile())) {};
    }

    /** Returns the content, decompressed. */
    InputStream content() throws IOException {
        InputStream buffered = new BufferedInputStream(in, BUFFER);
        return name.endsWith(".gz") ? new GZIPInputStream(buffered, BUFFER) : buffered;
    }

    /** Reads the whole content, which must be UTF-8, and closes the stream. */
    public String text() {
        try (InputStream content = content()) {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content.readAllBytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new CommandFailure(ExitCode.USAGE, "cannot read " + name + ": it is not UTF-8", e);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot read " + name + ": " + e.getMessage(), e);
        }
    }

    private static String reason(Path path) {
        if (!Files.exists(path)) {
            return "it does not exist";
        }
        return Files.isDirectory(path) ? "it is a folder" : "it may not be read";
    }
}
