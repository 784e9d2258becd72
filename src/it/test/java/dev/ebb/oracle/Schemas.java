package dev.ebb.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;

/** The schemas of the project, the one thing that the oracle shares with it. */
final class Schemas {

    private static final Path FOLDER = Path.of(System.getProperty("ebb.schemas", "schemas"));
    private static final Map<String, Schema> KNOWN = new ConcurrentHashMap<>();

    private Schemas() {}

    /** The schema with that simple name. */
    static Schema of(String name) {
        return KNOWN.computeIfAbsent(name, Schemas::read);
    }

    private static Schema read(String name) {
        try {
            return new Schema.Parser().parse(FOLDER.resolve(name + ".avsc").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException("run it in the folder of the project", e);
        }
    }
}
