package dev.ebb.cli.admin;

import dev.ebb.api.access.Role;
import dev.ebb.api.access.TokenEntry;
import dev.ebb.api.access.TokenList;
import dev.ebb.api.access.TokenSecret;
import dev.ebb.api.access.UnusableFileException;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Times;
import dev.ebb.files.Readers;
import dev.ebb.files.TrustedFile;
import dev.ebb.files.UnsafeFileException;
import dev.ebb.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "create",
        description = {
            "Makes a token and prints it once; the token is stored nowhere.",
            "The file that api.tokens.file names needs a line with the hash of the token: the command prints this"
                    + " line too, or appends it with --file."
        },
        footer = {
            "  ebb token create --name anna --role admin --file tokens",
            "  ebb token create --name officer --role eraser,restorer,operator --file tokens",
            "  ebb token create --name grafana --role viewer --expires 365d --file tokens > grafana.token"
        })
final class TokenCreateCommand extends OutputCommand {

    @Option(
            names = "--name",
            paramLabel = "NAME",
            required = true,
            description = "Name of the user or program that gets the token; the actor in the audit.")
    private String name;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            required = true,
            split = ",",
            description = {
                "Rights of the token; several with commas between them.",
                "viewer: reads everything but payloads.",
                "operator: also reads payloads, sends events, sweeps, plans, and deletes in bulk.",
                "eraser: may do what a viewer may, and erases events that match.",
                "restorer: may do what a viewer may, and brings deleted events back, also with --hold and --revert.",
                "admin: may do what all of them may; also policies, holds, confirmations, single deletes and force."
            })
    private Set<Role> roles;

    @Option(
            names = "--expires",
            paramLabel = "WHEN",
            description = "When the token expires: after a duration (90d) or at a time (ISO-8601). Default: never.")
    private @Nullable String expires;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Appends the line to this file; only the owner may read a new file.")
    private @Nullable Path file;

    @Override
    public Integer call() {
        String secret = TokenSecret.generate();
        TokenEntry entry = entry(secret);
        if (file != null) {
            keep(file, entry);
        }
        output.print(Json.object().put("token", secret).put("line", entry.line()), terminal -> terminal.out()
                .println(secret));
        if (output.isTable()) {
            output.note(
                    file == null
                            ? "This token is shown only now. The line for the file of api.tokens.file:\n" + entry.line()
                            : "This token is shown only now. Its hash was appended to " + file + ".");
        }
        return ExitCode.OK.code();
    }

    private void keep(Path target, TokenEntry entry) {
        requireClosed(target);
        boolean isKnown = hasName(target);
        append(target, entry.line());
        if (isKnown) {
            output.note("warning: " + target + " already has a token of '" + name + "', and both are accepted;"
                    + " delete the old line when the old token is no longer used");
        }
    }

    /** Refuses a file that no instance would read. */
    private static void requireClosed(Path target) {
        try {
            if (Files.exists(target)) {
                TrustedFile.check(target, "file of tokens");
            }
        } catch (UnsafeFileException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw CommandFailure.unwritten(target, e);
        }
    }

    /**
     * Returns true if the file has a token of that name. Several tokens may have the same name, so that a new one can
     * replace an old one; another user should not take it.
     */
    private boolean hasName(Path target) {
        try {
            return Files.exists(target)
                    && TokenList.read(target).entries().stream()
                            .anyMatch(known -> known.name().equals(name));
        } catch (UnusableFileException e) {
            return false;
        }
    }

    private TokenEntry entry(String secret) {
        try {
            return new TokenEntry(name, roles, TokenSecret.hash(secret), end(expires));
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(e);
        }
    }

    private static @Nullable Instant end(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            long ms = Times.readEnd(text, DateBound.END, System.currentTimeMillis());
            return Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--expires: " + e.getMessage(), e);
        }
    }

    private static void append(Path target, String line) {
        try {
            WholeFile.append(target, Readers.OWNER, line);
        } catch (IOException e) {
            throw CommandFailure.unwritten(target, e);
        }
    }
}
