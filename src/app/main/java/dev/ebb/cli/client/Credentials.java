package dev.ebb.cli.client;

import dev.ebb.api.access.Pem;
import dev.ebb.api.access.TokenSecret;
import dev.ebb.api.access.UnusableFileException;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.files.TrustedFile;
import dev.ebb.files.UnsafeFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a command, and the certificates with which it checks that of the application. A token never stands on a
 * command line, where every user of the machine could see it.
 *
 * @param token the secret; null if there is none
 * @param tls the certificates to trust; null for those that Java trusts
 */
public record Credentials(@Nullable String token, @Nullable SSLContext tls) {

    /** No token, and the certificates that Java trusts. */
    public static final Credentials NONE = new Credentials(null, null);

    private static final String TOKEN = "EBB_TOKEN";
    private static final String TOKEN_FILE = "EBB_TOKEN_FILE";
    private static final String CA_FILE = "EBB_CA_FILE";

    /** Returns the credentials that options, or else the environment, name; null is a missing option. */
    public static Credentials of(@Nullable Path tokenFile, @Nullable Path caFile, Map<String, String> environment) {
        Path file = chosen(tokenFile, environment, TOKEN_FILE);
        String inEnvironment = environment.getOrDefault(TOKEN, "");
        String token = file != null ? read(file) : inEnvironment.isBlank() ? null : checked(inEnvironment, TOKEN);
        Path certificates = chosen(caFile, environment, CA_FILE);
        return new Credentials(token, certificates == null ? null : trusting(certificates));
    }

    /** Leaves out the token. */
    @Override
    public String toString() {
        return "Credentials[" + (token == null ? "no token" : "a token") + "]";
    }

    private static @Nullable Path chosen(@Nullable Path option, Map<String, String> environment, String variable) {
        String text = environment.getOrDefault(variable, "");
        return option != null || text.isBlank() ? option : Path.of(text);
    }

    private static String read(Path file) {
        try {
            TrustedFile.check(file, "file of the token");
            return checked(Files.readString(file), file.toString());
        } catch (UnsafeFileException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.USAGE, "cannot read the file of the token " + file, e);
        }
    }

    private static String checked(String text, String source) {
        String token = text.strip();
        if (!TokenSecret.isOne(token) && !TokenSecret.isSigned(token)) {
            throw CommandFailure.usage(
                    "there is no token in " + source
                            + "; 'ebb token create' prints one, which begins with ebb_; that of an issuer has three parts with dots");
        }
        return token;
    }

    private static SSLContext trusting(Path certificates) {
        try {
            return Pem.trusting(certificates);
        } catch (UnusableFileException e) {
            throw CommandFailure.usage(e);
        }
    }
}
