package dev.ebb.cli.dev;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.devstack.process.Service;
import dev.ebb.stacks.Endpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The folder with the data of a stack. */
final class DataFolder {

    /** File that a stack leaves in its folder; a folder without it was not made by a stack and is not deleted. */
    private static final String TRACE = "lock";

    private DataFolder() {}

    /** Deletes the data of an earlier stack; leaves a running stack, and any folder that is not of a stack, alone. */
    static void clear(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        if (Endpoints.settingsFile(folder).isPresent()) {
            throw new CommandFailure(ExitCode.REFUSED, folder + " is in use by a stack that runs; stop it first");
        }
        try {
            requireTrace(folder);
            delete(folder);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot clear " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Refuses data that only a registry makes readable: without one, policies and results in Avro would be lost. */
    static void requireJson(Path folder) {
        if (Files.exists(folder.resolve(Service.REGISTRY.label()))) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    "the data in " + folder + " was written with a registry and cannot be read without one; leave"
                            + " out --no-registry, name another folder with --data, or delete it with --fresh");
        }
    }

    private static void requireTrace(Path folder) throws IOException {
        try (Stream<Path> content = Files.list(folder)) {
            List<Path> files = content.toList();
            if (!files.isEmpty() && !files.contains(folder.resolve(TRACE))) {
                throw new CommandFailure(
                        ExitCode.REFUSED, folder + " is not a data folder of Ebb; nothing was deleted");
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
