package dev.ebb.stacks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Addresses of the services of a running stack. They are also written to {@code ebb.properties} in the data folder, as
 * settings of the application; that file exists only as long as the stack runs. Prints no secret.
 */
public record Endpoints(
        String bootstrapServers,
        String registryUrl,
        String connectUrl,
        String jdbcUrl,
        String sqlUser,
        String sqlPassword,
        Path sqlPasswordFile,
        String apiUrl) {
    private static final String FILE = "ebb.properties";
    private static final String HTTP = "http://";

    /** Returns the settings file of the stack that runs on the data folder; empty if there is no such stack. */
    public static Optional<Path> settingsFile(Path dataDir) {
        var file = file(dataDir);
        try {
            return Files.exists(file) && StackLock.isHeld(dataDir) ? Optional.of(file) : Optional.empty();
        } catch (IOException e) {
            throw new DevStackException("cannot read " + file, e);
        }
    }

    /** Returns these endpoints with another address of the application. */
    public Endpoints withApi(String url) {
        return new Endpoints(
                bootstrapServers, registryUrl, connectUrl, jdbcUrl, sqlUser, sqlPassword, sqlPasswordFile, url);
    }

    @Override
    public String toString() {
        return "Endpoints[%s, %s, %s, %s, %s]".formatted(bootstrapServers, registryUrl, connectUrl, jdbcUrl, apiUrl);
    }

    public static Path file(Path dataDir) {
        return dataDir.resolve(FILE);
    }

    public Path write(Path dataDir, Map<String, String> further) throws IOException {
        var properties = new Properties();
        properties.putAll(settings());
        properties.putAll(further);
        return PrivateFiles.write(
                file(dataDir), out -> properties.store(out, "The stack that runs now; gone when it stops."));
    }

    private Map<String, String> settings() {
        var settings = new TreeMap<String, String>();
        settings.put("bootstrap.servers", bootstrapServers);
        settings.put("schema.registry.url", registryUrl);
        settings.put("connect.urls", connectUrl);
        settings.put("sql.url", jdbcUrl);
        settings.put("sql.user", sqlUser);
        // The file, not the password: the sinks are then given a reference, and Connect does not show the password.
        settings.put("sql.password.file", sqlPasswordFile.toString());
        settings.put("api.listen", apiUrl.substring(HTTP.length()));
        return settings;
    }
}
