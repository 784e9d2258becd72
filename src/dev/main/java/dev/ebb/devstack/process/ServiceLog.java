package dev.ebb.devstack.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.stacks.PrivateFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The file that takes the output of one service; a restart appends to it. */
record ServiceLog(Path file) {
    private static final long ROLL_BYTES = 16L << 20;
    private static final int TAIL_BYTES = 16 << 10;
    private static final int LINE_LENGTH = 300;

    Redirect open() throws IOException {
        if (Files.exists(file) && Files.size(file) > ROLL_BYTES) {
            Files.move(file, Path.of(file + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
        return Redirect.appendTo(PrivateFiles.file(file).toFile());
    }

    /** Returns the last lines, as far as they can be read. */
    String tail(int lines) {
        try (var log = new RandomAccessFile(file.toFile(), "r")) {
            log.seek(Math.max(0, log.length() - TAIL_BYTES));
            var bytes = new byte[TAIL_BYTES];
            var read = Math.max(0, log.read(bytes));
            List<String> all = new String(bytes, 0, read, UTF_8)
                    .lines()
                    .map(ServiceLog::cut)
                    .toList();
            return String.join(System.lineSeparator(), all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException e) {
            return "(" + file + " cannot be read: " + e.getMessage() + ")";
        }
    }

    private static String cut(String line) {
        return line.length() <= LINE_LENGTH ? line : line.substring(0, LINE_LENGTH) + "…";
    }
}
