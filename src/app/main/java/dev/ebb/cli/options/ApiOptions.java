package dev.ebb.cli.options;

import dev.ebb.cli.client.ApiAddress;
import dev.ebb.cli.client.Contexts;
import dev.ebb.cli.client.Credentials;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.Map;
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
                "Default: EBB_API_URL, or else api.listen of the settings, or else the context in EBB_CONTEXT or in use,"
                        + " or else the running 'ebb dev', or else http://127.0.0.1:8480."
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

    /** Returns the context that the command means; null if an option or the environment says where to go, or none is in use. */
    private Contexts.@Nullable Target target() {
        Map<String, String> environment = context.environment();
        boolean isNamed = !environment.getOrDefault(Contexts.VARIABLE, "").isBlank();
        boolean saysWhere = url != null
                || !environment.getOrDefault(VARIABLE, "").isBlank()
                || (!isNamed && config.saysWhereTheApiIs());
        return saysWhere ? null : Contexts.of(environment).meant(environment);
    }

    /** Returns the file of the option, or of the context unless the environment has something to say. */
    private @Nullable Path orElse(@Nullable Path option, String variable, String ofContext) {
        boolean isSaid = option != null
                || ofContext.isEmpty()
                || context.environment().keySet().stream().anyMatch(name -> name.startsWith(variable));
        return isSaid ? option : Path.of(ofContext);
    }

    private RestApi connect(Terminal shown) {
        Contexts.Target target = target();
        Path token = target == null ? tokenFile : orElse(tokenFile, "EBB_TOKEN", target.tokenFile());
        Path certificates = target == null ? caFile : orElse(caFile, "EBB_CA_FILE", target.caFile());
        return new RestApi(address(), Credentials.of(token, certificates, context.environment()), shown);
    }

    /** Returns the address of the application that the command means. */
    public ApiAddress address() {
        if (url != null) {
            return ApiAddress.parse(url, "--api");
        }
        String variable = context.environment().get(VARIABLE);
        if (variable != null && !variable.isBlank()) {
            return ApiAddress.parse(variable, VARIABLE);
        }
        Contexts.Target target = target();
        if (target != null) {
            return ApiAddress.parse(target.api(), "the context");
        }
        return ApiAddress.parse(config.loadForClient().apiUrl(), "the settings");
    }
}
