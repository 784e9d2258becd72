package dev.ebb.cli.options;

import dev.ebb.cli.client.ApiAddress;
import dev.ebb.cli.client.Contexts;
import dev.ebb.cli.client.Credentials;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options by which a command reaches the application. */
public final class ApiOptions {

    private static final String VARIABLE = "EBB_API_URL";

    private final CommandEnvironment context;

    @Option(
            names = "--api",
            paramLabel = "URL",
            description = {
                "The application's address.",
                "Default: --config or --set api.listen, then EBB_API_URL, then the context in EBB_CONTEXT, then EBB_CONFIG or"
                        + " EBB_API_LISTEN, then the context in use, then the running 'ebb dev', or else"
                        + " http://127.0.0.1:8480."
            })
    private @Nullable String url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = {
                "A file that holds only the token for the application.",
                "Default: the file in EBB_TOKEN_FILE, or else the token in EBB_TOKEN, or else none."
            })
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = {
                "Certificates in PEM that verify an https address.",
                "Default: the file in EBB_CA_FILE, or else the certificates that Java trusts."
            })
    private @Nullable Path caFile;

    @Mixin
    private ConfigOptions config;

    public ApiOptions(CommandEnvironment context) {
        this.context = context;
        this.config = new ConfigOptions(context);
    }

    public RestApi connect() {
        return connect(context.terminal());
    }

    /** Connects without messages about late answers: the caller reports them itself. */
    public RestApi connectSilently() {
        return connect(context.terminal().withoutErrors());
    }

    /** Returns the terminal that shows waits for late answers. */
    Terminal terminal() {
        return context.terminal();
    }

    /**
     * Returns the context that the command means; null if something stronger says where to go, or none is in use. What is
     * typed is stronger than any variable: a context that a shell still has must not turn a command to another application.
     */
    private Contexts.@Nullable Target target() {
        boolean isStronger = url != null
                || config.optionsSayWhereTheApiIs()
                || isGiven(VARIABLE)
                || (!isGiven(Contexts.VARIABLE) && config.environmentSaysWhereTheApiIs());
        return isStronger ? null : Contexts.of(context.environment()).meant(context.environment());
    }

    /** Returns true if the environment has the variable; an empty one says nothing. */
    private boolean isGiven(String variable) {
        return !context.environment().getOrDefault(variable, "").isBlank();
    }

    /** Returns the file of the option, or of the context unless one of the variables has something to say. */
    private @Nullable Path orElse(@Nullable Path option, String ofContext, String... variables) {
        boolean isSaid =
                option != null || ofContext.isEmpty() || Stream.of(variables).anyMatch(this::isGiven);
        return isSaid ? option : Path.of(ofContext);
    }

    private RestApi connect(Terminal shown) {
        Contexts.Target target = target();
        Path token = target == null ? tokenFile : orElse(tokenFile, target.tokenFile(), "EBB_TOKEN", "EBB_TOKEN_FILE");
        Path certificates = target == null ? caFile : orElse(caFile, target.caFile(), "EBB_CA_FILE");
        return new RestApi(address(), Credentials.of(token, certificates, context.environment()), shown);
    }

    /** Returns the address of the application that the command means. */
    public ApiAddress address() {
        if (url != null) {
            return ApiAddress.parse(url, "--api");
        }
        if (isGiven(VARIABLE) && !config.optionsSayWhereTheApiIs()) {
            return ApiAddress.parse(String.valueOf(context.environment().get(VARIABLE)), VARIABLE);
        }
        Contexts.Target target = target();
        if (target != null) {
            return ApiAddress.parse(target.api(), "the context");
        }
        return ApiAddress.parse(config.loadForClient().apiUrl(), "the settings");
    }
}
