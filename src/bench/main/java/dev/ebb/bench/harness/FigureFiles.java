package dev.ebb.bench.harness;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalDouble;

/** Figures as JSON files, one for each figure, named by its id. */
public final class FigureFiles {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path folder;

    public FigureFiles(Path folder) {
        this.folder = folder;
    }

    /** Writes the figures, replacing those of earlier runs. */
    public void write(List<Figure> figures, BenchSettings settings, Instant date) throws IOException {
        Files.createDirectories(folder);
        for (Figure figure : figures) {
            ObjectNode json = json(figure, settings, date);
            Files.writeString(
                    folder.resolve(figure.id() + ".json"),
                    MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n");
        }
    }

    private static ObjectNode json(Figure figure, BenchSettings settings, Instant date) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("id", figure.id());
        json.put("name", figure.name());
        put(json, "value", figure.value());
        json.put("unit", figure.unit());
        json.put("against", figure.against());
        put(json, "againstValue", orNaN(figure.againstValue()));
        put(json, "ratio", orNaN(figure.ratio()));
        json.put("target", figure.target());
        json.put("grade", figure.grade().name());
        json.put("reached", figure.grade() == Grade.GATE || figure.grade() == Grade.AIM);
        json.put("machine", Machine.describe());
        json.put("date", date.truncatedTo(ChronoUnit.SECONDS).toString());
        json.put("length", settings.length().name());
        settings.events().ifPresent(events -> json.put("events", events));
        json.put("seed", settings.seed());
        if (!figure.note().isEmpty()) {
            json.put("note", figure.note());
        }
        for (Figure.Pair pair : figure.pairs()) {
            ObjectNode one = json.withArray("pairs").addObject();
            put(one, "value", pair.value());
            put(one, "against", pair.against());
            put(one, "ratio", pair.ratio());
        }
        return json;
    }

    /** Writes the value, or null for a value that is not a number: JSON has no NaN. */
    private static void put(ObjectNode json, String name, double value) {
        if (Double.isFinite(value)) {
            json.put(name, value);
        } else {
            json.putNull(name);
        }
    }

    private static double orNaN(OptionalDouble value) {
        return value.orElse(Double.NaN);
    }
}
