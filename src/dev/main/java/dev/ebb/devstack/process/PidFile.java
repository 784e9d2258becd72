package dev.ebb.devstack.process;

import dev.ebb.stacks.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A record on disk of a running service, by which it can be stopped after this process was killed: the stop signal, the
 * pid, and the start time, since the pid may by then belong to another process.
 */
public record PidFile(Path file) {
    private static final String SUFFIX = ".pid";
    /** The start time comes from the boot time in whole seconds, which two readers may round differently. */
    private static final long START_TOLERANCE_MS = 2000;

    /** A process that was started once and still runs. */
    public record Survivor(String service, String signal, ProcessHandle process) {}

    static PidFile of(Path folder, Service service) {
        return new PidFile(folder.resolve(service.stopOrder() + "-" + service.label() + SUFFIX));
    }

    /** Returns the pid files in the order in which the services should be stopped. */
    public static List<PidFile> in(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .map(PidFile::new)
                    .toList();
        }
    }

    public void write(String signal, ProcessHandle process) throws IOException {
        PrivateFiles.write(file, "%s %d %d%n".formatted(signal, process.pid(), startMs(process)));
    }

    public void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    public Optional<Survivor> survivor() throws IOException {
        try {
            String[] fields = Files.readString(file).strip().split(" ", -1);
            long startMs = Long.parseLong(fields[2]);
            return ProcessHandle.of(Long.parseLong(fields[1]))
                    .filter(process -> Math.abs(startMs(process) - startMs) <= START_TOLERANCE_MS)
                    .map(process -> new Survivor(service(), fields[0], process));
        } catch (NoSuchFileException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private String service() {
        var name = file.getFileName().toString();
        return name.substring(name.indexOf('-') + 1, name.length() - SUFFIX.length());
    }

    private static long startMs(ProcessHandle process) {
        return process.info().startInstant().orElse(Instant.EPOCH).toEpochMilli();
    }
}
