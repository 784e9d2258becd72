package dev.ebb.cli.dev;

import dev.ebb.cli.options.ShellWord;
import dev.ebb.stacks.Endpoints;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Commands to try with a running stack, as lines for a shell.
 *
 * @param program the command that starts this program
 * @param config the settings file to name; null if commands find it themselves
 * @param passfile the file of passwords for psql
 */
record TryCommands(String program, @Nullable Path config, Path passfile) {

    private static final String EVENT =
            "{\"stream\":\"orders/eu-1\",\"id\":\"o-1\",\"type\":\"order\",\"status\":\"completed\"}";

    /** An event for kcat, whose key names the stream. */
    private static final String KCAT_EVENT = "{\"id\":\"o-2\",\"type\":\"order\",\"status\":\"completed\"}";

    /** Returns the commands, each under its purpose. */
    Map<String, String> of(Endpoints endpoints) {
        String options = config == null ? "" : " --config " + ShellWord.of(config.toString());
        Map<String, String> tries = new LinkedHashMap<>();
        tries.put("send an event", "echo '" + EVENT + "' | " + program + " produce -f -" + options);
        tries.put(
                "or with kcat, or any client",
                "echo '" + KCAT_EVENT + "' | kcat -P -b " + endpoints.bootstrapServers()
                        + " -X partitioner=murmur2_random -t ebb.events -k orders/eu-1");
        tries.put("say how long they live", program + " policy set namespace:orders --max-age 30s" + options);
        tries.put("see the status", program + " status" + options);
        tries.put(
                "ask PostgreSQL",
                "PGPASSFILE=" + ShellWord.of(passfile.toString()) + " psql " + address(endpoints)
                        + " -c 'select scope, policy, current_events, oldest_age from retention_policy_status'");
        return tries;
    }

    private static String address(Endpoints endpoints) {
        String address =
                endpoints.jdbcUrl().replaceFirst("^jdbc:postgresql://", "").replaceFirst("\\?.*$", "");
        return "postgresql://" + endpoints.sqlUser() + "@" + address;
    }
}
