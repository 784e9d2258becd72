package dev.ebb.cli.options;

import dev.ebb.cli.client.ApiAddress;
import dev.ebb.cli.client.Credentials;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.terminal.Terminal;
import java.nio.file.Path;
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
                "Default: EBB_API_URL, or else api.listen of the settings, or else the running 'ebb dev', or else"
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

    private RestApi connect(Terminal shown) {
        return new RestApi(address(), Credentials.of(tokenFile, caFile, context.environment()), shown);
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
        return ApiAddress.parse(config.loadForClient().apiUrl(), "the settings");
    }
}
