package dev.ebb.devstack.process;

import dev.ebb.stacks.DevStackException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Output of the build below {@code target/ebb}: the libraries and programs of the services. */
public record Distribution(Path home) {
    private static final String HOME_PROPERTY = "ebb.home";

    /**
     * Returns the distribution in the project folder that the system property {@code ebb.home} names, or else in the
     * working directory.
     */
    public static Distribution locate() {
        var home =
                Path.of(System.getProperty(HOME_PROPERTY, "")).toAbsolutePath().normalize();
        var found = new Distribution(home);
        if (!Files.isDirectory(found.root().resolve("dev"))) {
            throw new DevStackException(
                    found.root() + " does not exist: build it with 'mvn -Dquick -DskipTests package'");
        }
        return found;
    }

    /** Returns the jar of the application; its manifest names the libraries beside it in the right order. */
    public Path applicationJar() {
        return root().resolve("lib/ebb.jar");
    }

    /** Returns the class path of the broker, which is a library of the development stack and not of the application. */
    String brokerClasspath() {
        return applicationJar() + File.pathSeparator + root().resolve("dev/ebb-dev.jar");
    }

    String connectClasspath() {
        return guardJar() + File.pathSeparator + root().resolve("connect/lib") + "/*";
    }

    Path connectPlugins() {
        return root().resolve("connect/plugins");
    }

    String registryClasspath() throws IOException {
        try (Stream<Path> files = Files.list(root().resolve("registry"))) {
            return files.filter(file -> file.toString().endsWith("-runner.jar"))
                    .findFirst()
                    .map(registry -> String.join(
                            File.pathSeparator,
                            guardJar().toString(),
                            root().resolve("registry/newer") + "/*",
                            registry.toString()))
                    .orElseThrow(() -> new DevStackException("no registry in " + root() + ": build again"));
        }
    }

    /** Returns the jar of the guard of worker and registry, which contains nothing else. */
    private Path guardJar() {
        return root().resolve("guard/ebb-guard.jar");
    }

    /** Returns the folder into which PostgreSQL is unpacked, once for all stacks. */
    Path postgres() {
        return root().resolve("postgres");
    }

    /** Returns the beginning of a command that runs a Java program with the Java of this process. */
    List<String> java(List<String> options) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-D" + HOME_PROPERTY + "=" + home);
        command.addAll(options);
        return command;
    }

    private Path root() {
        return home.resolve("target/ebb");
    }
}
