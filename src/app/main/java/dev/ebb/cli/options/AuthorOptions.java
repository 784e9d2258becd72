package dev.ebb.cli.options;

import dev.ebb.cli.client.RestPath;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Author and reason of a change, both kept in the audit. */
public final class AuthorOptions {

    @Option(names = "--reason", paramLabel = "TEXT", description = "Reason, kept in the audit.")
    private @Nullable String reason;

    @Option(
            names = {"--actor", "--updated-by"},
            paramLabel = "NAME",
            description = "Author. Default: the user of this system.")
    private String actor = System.getProperty("user.name", "");

    @Nullable
    public String reason() {
        return reason;
    }

    public String actor() {
        return actor;
    }

    /** Returns the path with both as parameters. */
    public RestPath sign(RestPath path) {
        return path.with("actor", actor.isEmpty() ? null : actor).with("reason", reason);
    }
}
