package dev.ebb.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Figures as files of JSON, one each, named by its id. */
public final class FigureFiles {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path folder;

    public FigureFiles(Path folder) {
        this.folder = folder;
    }

    /** Writes the figures over those of earlier runs. */
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
        json.put("value", figure.value());
        json.put("unit", figure.unit());
        json.put("against", figure.against());
        json.put("againstValue", figure.againstValue());
        json.put("ratio", figure.ratio());
        json.put("target", figure.target());
        json.put("reached", figure.reached());
        json.put("machine", Machine.describe());
        json.put("date", date.truncatedTo(ChronoUnit.SECONDS).toString());
        json.put("events", settings.eventsOrDefault());
        json.put("seed", settings.seed());
        for (Figure.Pair pair : figure.pairs()) {
            json.withArray("pairs")
                    .addObject()
                    .put("value", pair.value())
                    .put("against", pair.against())
                    .put("ratio", pair.ratio());
        }
        return json;
    }
}
