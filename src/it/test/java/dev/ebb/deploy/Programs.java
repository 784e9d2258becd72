package dev.ebb.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Programs installed beside Java. */
final class Programs {

    private Programs() {}

    static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(part -> Files.isExecutable(Path.of(part, program)));
    }
}
