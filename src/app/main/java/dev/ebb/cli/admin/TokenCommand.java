package dev.ebb.cli.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.api.access.Role;
import dev.ebb.api.access.TokenEntry;
import dev.ebb.api.access.TokenList;
import dev.ebb.api.access.UnusableFileException;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.ConfigOptions;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.config.Settings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "token",
        description = "Tokens by which callers identify themselves.",
        footer = "  ebb token create --name anna --role operator --file tokens")
@Subcommands({TokenCreateCommand.class, TokenCommand.ListCommand.class})
public final class TokenCommand extends CommandGroup {

    @Command(
            name = "list",
            description =
                    "Shows the owners of the tokens in a file, or the error in the file. Prints neither tokens nor"
                            + " hashes.",
            footer = "  ebb token list --file tokens")
    static final class ListCommand extends OutputCommand {

        @Option(
                names = "--file",
                paramLabel = "FILE",
                description = "File to read. Default: the setting api.tokens.file.")
        private @Nullable Path file;

        @Mixin
        private ConfigOptions config;

        @Override
        public Integer call() {
            List<TokenEntry> entries = read().entries();
            Instant now = Instant.now();
            output.print(json(entries, now), terminal -> table(terminal, entries, now));
            return ExitCode.OK.code();
        }

        private TokenList read() {
            Path chosen = file == null
                    ? config.loadForClient().get(Settings.API_TOKENS_FILE).orElse(null)
                    : file;
            if (chosen == null) {
                throw CommandFailure.usage("name a file with --file, or set api.tokens.file");
            }
            try {
                return TokenList.read(chosen);
            } catch (UnusableFileException e) {
                throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
            }
        }

        private static ObjectNode json(List<TokenEntry> entries, Instant now) {
            ObjectNode result = Json.object();
            ArrayNode tokens = result.putArray("tokens");
            for (TokenEntry entry : entries) {
                Instant end = entry.expiresAt();
                ObjectNode token = tokens.addObject().put("name", entry.name());
                ArrayNode roles = token.putArray("roles");
                entry.roles().stream().sorted().map(Role::toString).forEach(roles::add);
                token.put("expiresAt", end == null ? null : end.toString()).put("expired", entry.isExpiredAt(now));
            }
            return result;
        }

        private static void table(Terminal terminal, List<TokenEntry> entries, Instant now) {
            Table table = new Table().left("NAME").left("ROLES").left("EXPIRES");
            for (TokenEntry entry : entries) {
                Instant end = entry.expiresAt();
                boolean isExpired = entry.isExpiredAt(now);
                String shown = end == null ? "never" : isExpired ? end + " (expired)" : end.toString();
                table.row(entry.name(), entry.roleNames(), isExpired ? new Cell(shown, Style.RED) : shown);
            }
            table.print(terminal);
        }
    }
}
