package dev.ebb.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.SignedNote;
import dev.ebb.domain.receipt.VerifierKey;
import dev.ebb.wire.WireJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checkpoints in a file: a single note, a receipt, or the output of {@code audit verify -o json}. Stateless. */
final class KeptCheckpoints {

    private KeptCheckpoints() {}

    private record Kept(String note, Checkpoint checkpoint) {}

    /**
     * Returns the notes to verify from: the oldest one of each tree, and also the newest one if there are several.
     *
     * @param file the name of the text in messages
     * @param keys keys whose signatures must all be valid
     */
    static List<String> of(Path file, String text, List<VerifierKey> keys) {
        Map<String, List<Kept>> trees = new TreeMap<>();
        for (String note : notes(file, text)) {
            Kept kept = read(file, note, keys);
            trees.computeIfAbsent(kept.checkpoint.origin(), origin -> new ArrayList<>())
                    .add(kept);
        }
        Set<String> chosen = new LinkedHashSet<>();
        for (List<Kept> tree : trees.values()) {
            tree.sort(Comparator.comparingLong(kept -> kept.checkpoint.size()));
            chosen.add(tree.get(0).note);
            chosen.add(tree.get(tree.size() - 1).note);
        }
        return List.copyOf(chosen);
    }

    private static List<String> notes(Path file, String text) {
        if (!text.stripLeading().startsWith("{")) {
            return List.of(text);
        }
        List<String> notes = new ArrayList<>();
        JsonNode json = json(file, text);
        json.path("checkpoints").forEach(checkpoint -> add(notes, checkpoint.path("note")));
        json.path("trees").forEach(tree -> add(notes, tree.path("checkpoint")));
        if (notes.isEmpty()) {
            throw none(file, "it has no checkpoint", null);
        }
        return notes;
    }

    private static void add(List<String> notes, JsonNode note) {
        if (note.isTextual()) {
            notes.add(note.asText());
        }
    }

    private static JsonNode json(Path file, String text) {
        JsonNode json = WireJson.read(text.getBytes(StandardCharsets.UTF_8), JsonNode.class);
        if (json == null) {
            throw none(file, "it is no JSON", null);
        }
        return json;
    }

    private static Kept read(Path file, String text, List<VerifierKey> keys) {
        try {
            SignedNote note = SignedNote.parse(text);
            Checkpoint checkpoint = Checkpoint.parse(note.text());
            for (VerifierKey key : keys) {
                boolean isOf = note.signatures().stream()
                        .anyMatch(signature -> signature.key().equals(key.name()));
                if (isOf && !key.hasSigned(note)) {
                    throw none(file, "the signature of the key " + key.name() + " is wrong", null);
                }
            }
            return new Kept(text, checkpoint);
        } catch (IllegalArgumentException e) {
            throw none(file, String.valueOf(e.getMessage()), e);
        }
    }

    private static CommandFailure none(Path file, String problem, @Nullable Throwable cause) {
        String message = "cannot use a checkpoint from " + file + ": " + problem
                + "; --from takes the note of a checkpoint, a receipt, or the output of 'ebb audit verify -o json'";
        return cause == null
                ? new CommandFailure(ExitCode.FAILED, message)
                : new CommandFailure(ExitCode.FAILED, message, cause);
    }
}
