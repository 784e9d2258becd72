package dev.ebb.cli;

import dev.ebb.cli.client.ApiAddress;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.config.Address;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a command reaches the application. */
final class ApiOptions {

    private static final String VARIABLE = "EBB_API_URL";

    private final CommandContext context;

    @Option(
            names = "--api",
            paramLabel = "URL",
            description = {
                "The application's address.",
                "Default: EBB_API_URL, or else api.listen of the settings, or else the running 'ebb dev', or else"
                        + " http://127.0.0.1:8480."
            })
    private @Nullable String url;

    @Mixin
    private ConfigOptions config;

    ApiOptions(CommandContext context) {
        this.context = context;
        this.config = new ConfigOptions(context);
    }

    RestApi connect() {
        return new RestApi(address(), context.terminal());
    }

    /** The same without a word about answers that take long: who asks says that itself. */
    RestApi connectSilently() {
        return new RestApi(address(), context.terminal().withoutErrors());
    }

    /** Where it is said that an answer takes long. */
    Terminal terminal() {
        return context.terminal();
    }

    private ApiAddress address() {
        if (url != null) {
            return ApiAddress.parse(url, "--api");
        }
        String variable = context.environment().get(VARIABLE);
        if (variable != null && !variable.isBlank()) {
            return ApiAddress.parse(variable, VARIABLE);
        }
        Address address = config.loadForClient().apiAdvertised();
        return ApiAddress.parse("http://" + address, "the settings");
    }
}
