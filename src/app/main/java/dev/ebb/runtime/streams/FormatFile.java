package dev.ebb.runtime.streams;

import dev.ebb.files.Readers;
import dev.ebb.files.WholeFile;
import dev.ebb.runtime.life.RefusedException;
import dev.ebb.store.layout.StateFormat;
import dev.ebb.store.layout.StateFormatException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * Records the format of the stores in the state folder, so that a version that cannot read them stops before it opens
 * any: under exactly once, a failing task would delete its folder.
 *
 * @param folder the state folder of the application; created if missing
 */
public record FormatFile(Path folder) {

    private static final String NAME = "ebb-format.properties";
    private static final String FORMAT = "format";
    private static final String VERSION = "version";

    /**
     * Claims the folder for this version.
     *
     * @throws RefusedException if this version cannot read the existing state; nothing was changed
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
            throw new RefusedException("the format of the state in " + folder + " cannot be read or written: "
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

    /** After a power failure, either the old or the new file is there. */
    private static void write(Path file, StateFormat format) throws IOException {
        Properties content = new Properties();
        content.setProperty(FORMAT, Integer.toString(format.number()));
        content.setProperty(VERSION, format.version());
        String comment = "Format of the stores in this folder. Written by Ebb; leave this file beside them.";
        WholeFile.replace(file, Readers.ALL, out -> content.store(out, comment));
    }
}
