package dev.ebb.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.files.Readers;
import dev.ebb.files.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Files of one receipt: the named one, or one for each part beside it. Not thread-safe. */
final class ReceiptFiles {

    private final Path target;
    private final List<Path> written = new ArrayList<>();
    private final Set<String> keys = new TreeSet<>();
    private long records;

    /** @param target the file of a receipt that has one part */
    ReceiptFiles(Path target) {
        this.target = target;
    }

    /** Writes the next part; returns the cursor of the part behind it, or null if it was the last one. */
    @Nullable
    String add(JsonNode answer) {
        ReceiptView part = Json.as(answer, ReceiptView.class);
        Path file = file(part);
        ((ObjectNode) answer).remove("next");
        try {
            WholeFile.write(file, Readers.ALL, out -> out.write(Json.pretty(answer) + "\n"));
        } catch (IOException e) {
            throw CommandFailure.unwritten(file, e);
        }
        written.add(file);
        records += part.records().size();
        part.checkpoints().forEach(checkpoint -> keys.addAll(checkpoint.keys()));
        return part.next();
    }

    private Path file(ReceiptView part) {
        if (part.parts() == 1) {
            return target;
        }
        String name = target.getFileName().toString();
        int dot = name.lastIndexOf('.');
        int end = dot > 0 ? dot : name.length();
        return target.resolveSibling(
                name.substring(0, end) + "-" + part.part() + "-of-" + part.parts() + name.substring(end));
    }

    JsonNode toJson() {
        ObjectNode json = Json.object();
        written.forEach(file -> json.withArray("files").add(file.toString()));
        return json.put("records", records).put("keys", String.join(" ", keys));
    }

    /** Returns the files and their signers, for people. */
    @Override
    public String toString() {
        String first = String.valueOf(written.get(0));
        String files = written.size() == 1
                ? first
                : written.size() + " files, " + first + " to " + written.get(written.size() - 1);
        return Texts.counted(records, "audit record") + " in " + files + ", "
                + (keys.isEmpty() ? "not signed: there was no key" : "signed by " + String.join(", ", keys));
    }
}
