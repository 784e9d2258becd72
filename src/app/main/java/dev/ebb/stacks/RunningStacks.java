package dev.ebb.stacks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The stacks that a user runs on this machine, so that commands find them wherever their data is. Each stack leaves a
 * note, the path of its data folder, in a folder that belongs to the user: {@code ebb} in {@code XDG_RUNTIME_DIR}, or
 * else {@code .ebb/run} in {@code HOME}. Where neither variable is set, nothing is noted and nothing found. Immutable.
 */
public final class RunningStacks {
    private static final String SUFFIX = ".stack";

    private final @Nullable Path folder;

    private RunningStacks(@Nullable Path folder) {
        this.folder = folder;
    }

    /** Returns the running stacks of the user with these environment variables. */
    public static RunningStacks of(Map<String, String> environment) {
        var runtime = folderIn(environment, "XDG_RUNTIME_DIR").map(found -> found.resolve("ebb"));
        var home =
                folderIn(environment, "HOME").map(found -> found.resolve(".ebb").resolve("run"));
        return new RunningStacks(runtime.or(() -> home).orElse(null));
    }

    /**
     * Returns the settings files of the stacks that run now, in no order. Removes the notes of stacks that were killed.
     */
    public List<Path> settingsFiles() {
        try {
            var found = new ArrayList<Path>();
            for (Path note : notes()) {
                var settings = dataDir(note).flatMap(Endpoints::settingsFile);
                if (settings.isPresent()) {
                    found.add(settings.get());
                } else {
                    forget(note);
                }
            }
            return found;
        } catch (IOException e) {
            throw new DevStackException("cannot read " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Returns the file for the note of a stack with that data folder; empty where nothing is noted. */
    public Optional<Path> noteOf(Path dataDir) {
        var name = UUID.nameUUIDFromBytes(dataDir.toString().getBytes(StandardCharsets.UTF_8)) + SUFFIX;
        return Optional.ofNullable(folder).map(notes -> notes.resolve(name));
    }

    private List<Path> notes() throws IOException {
        if (folder == null || !Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX)).toList();
        }
    }

    private static Optional<Path> dataDir(Path note) throws IOException {
        try {
            return Optional.of(Path.of(Files.readString(note).strip())).filter(Path::isAbsolute);
        } catch (NoSuchFileException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    /**
     * Removes a note, unless a stack has just started there: a stack leaves its note when it has its folder, and its
     * settings only later.
     */
    private static void forget(Path note) throws IOException {
        var dataDir = dataDir(note);
        if (dataDir.isEmpty() || !StackLock.isHeld(dataDir.get())) {
            Files.deleteIfExists(note);
        }
    }

    private static Optional<Path> folderIn(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable))
                .filter(value -> !value.isBlank())
                .map(Path::of)
                .filter(path -> path.isAbsolute() && Files.isDirectory(path));
    }
}
