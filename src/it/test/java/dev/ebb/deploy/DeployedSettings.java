package dev.ebb.deploy;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings of a deployment, judged as an instance would judge them. */
final class DeployedSettings {

    private DeployedSettings() {}

    /**
     * Reads and checks them as {@code ebb run} does.
     *
     * @param file the settings file, null if there is none
     * @param environment the variables of the container; placeholders are filled
     * @param folder where files that are only in a container are put
     * @throws dev.ebb.config.ConfigProblemsException if the instance would not start
     */
    static EbbConfig load(@Nullable Path file, Map<String, String> environment, Path folder) {
        try {
            Path secret = Files.writeString(folder.resolve("secret"), "secret-of-every-kind");
            Map<String, String> filled = new HashMap<>();
            environment.forEach((name, value) -> filled.put(
                    name,
                    value.replaceAll("\\{hostname}", "c0ffee")
                            .replaceAll("\\{number}", "1")
                            .replaceAll("\\$\\(POD_NAME\\)", "ebb-0")
                            .replaceAll("\\$\\(POD_NAMESPACE\\)", "ebb")));
            filled.remove("EBB_CONFIG");
            Map<String, String> flags =
                    Map.of("sql.password.file", secret.toString(), "api.peer.secret.file", secret.toString());
            return EbbConfig.load(new ConfigSources(file, filled, flags));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
