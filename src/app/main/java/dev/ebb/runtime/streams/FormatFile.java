package dev.ebb.runtime.streams;

import dev.ebb.runtime.life.RefusedException;
import dev.ebb.store.layout.StateFormat;
import dev.ebb.store.layout.StateFormatException;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/**
 * Says in the state folder which format the stores in it are in, so that a version that cannot read them stops before it
 * opens any: a task that fails under exactly once would take its folder with it.
 */
public final class FormatFile {

    private static final String NAME = "ebb-format.properties";
    private static final String FORMAT = "format";
    private static final String VERSION = "version";

    private final Path folder;

    /** @param folder the state folder of the application; made if it is not there */
    public FormatFile(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes the folder this version's own.
     *
     * @throws RefusedException if this version cannot read the state that is there; nothing was changed
     */
    public void claim() {
        Path file = folder.resolve(NAME);
        try {
            Files.createDirectories(folder);
            if (Files.exists(file)) {
                read(file).requireReadable("the state in " + folder);
            }
            write(file, StateFormat.current());
        } catch (StateFormatException e) {
            throw new RefusedException(String.valueOf(e.getMessage()));
        } catch (IOException | IllegalArgumentException e) {
            throw new RefusedException("the format of the state in " + folder + " cannot be told or kept: "
                    + e.getMessage() + "; give this user the right to read and write " + file
                    + ", and delete that file if it is damaged");
        }
    }

    private static StateFormat read(Path file) throws IOException {
        Properties content = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            content.load(in);
        }
        return new StateFormat(
                Integer.parseInt(content.getProperty(FORMAT, "")), content.getProperty(VERSION, "an unknown version"));
    }

    /** Writes the file at once: after a loss of power there is the old one or the new one. */
    private void write(Path file, StateFormat format) throws IOException {
        Properties content = new Properties();
        content.setProperty(FORMAT, Integer.toString(format.number()));
        content.setProperty(VERSION, format.version());
        Path next = folder.resolve(NAME + ".new");
        try (Writer out = Files.newBufferedWriter(next)) {
            content.store(out, "Format of the stores in this folder. Written by Ebb; leave this file beside them.");
        }
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
