package dev.ebb.undo;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import java.util.Objects;
import picocli.CommandLine.Command;

@Command(
        name = "trash",
        description = "Deleted events that 'ebb undo' can bring back.",
        footer = "  ebb trash list --namespace orders")
@Subcommands(TrashCommand.ListCommand.class)
public final class TrashCommand extends CommandGroup {

    @Command(
            name = "list",
            description = {
                "Lists deletes that can be undone, by command or change of policies and namespace, the last deleted first.",
                "UNTIL is the time from which the first of these events cannot be brought back any more. Final"
                        + " deletes are not listed: those by 'ebb erase', by policies that are no longer new, and by a TTL of the"
                        + " producer, unless a new change let it act."
            },
            footer = {"  ebb trash list", "  ebb trash list --stream orders/eu-1 -o json"})
    static final class ListCommand extends ReadCommand<TrashedView.Page> {

        ListCommand() {
            super(TrashedView.LIST, ListCommand::table);
        }

        private static Table table(TrashedView.Page page) {
            return new Columns<TrashedView>()
                    .left("DELETED", deletion -> Texts.second(deletion.lastDeletedAt()))
                    .left("CHANGE OR COMMAND", ListCommand::by)
                    .left("CAUSE", TrashedView::cause)
                    .left("NAMESPACE", deletion -> Objects.requireNonNullElse(deletion.namespace(), "(others)"))
                    .count("EVENTS", TrashedView::events)
                    .bytes("BYTES", TrashedView::bytes)
                    .count("EXECUTIONS", TrashedView::executions)
                    .count("MISSING", TrashedView::missing)
                    .left("UNTIL", deletion -> Texts.second(deletion.firstUntil()))
                    .table(page.deletions());
        }

        /**
         * Returns the command or the change of a policy that deleted the events, which 'ebb undo' takes with {@code
         * --command} or {@code --policy}.
         */
        private static String by(TrashedView deletion) {
            if (deletion.commandId() != null) {
                return "command " + deletion.commandId();
            }
            if (deletion.change() == null) {
                return "several";
            }
            // A change of the settings concerns several scopes, each with a row of its own.
            boolean isOfSettings = deletion.change().startsWith("settings@");
            return "policy " + deletion.change() + (isOfSettings ? " of " + deletion.scope() : "");
        }
    }
}
