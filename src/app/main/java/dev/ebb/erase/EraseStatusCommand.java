package dev.ebb.erase;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.wire.WireJson;
import picocli.CommandLine.Command;

@Command(
        name = "status",
        description = {
            "Shows the erasures of a case, and every place where bytes of their events may remain.",
            "A place without a time limit is shown with the setting that would limit it."
        },
        footer = "  ebb erase status GDPR-7")
final class EraseStatusCommand extends ReadCommand<ErasureView.Page> {

    EraseStatusCommand() {
        super(ErasureView.SHOW, EraseStatusCommand::table);
    }

    private static void table(Terminal terminal, ErasureView.Page page) {
        page.erasures().forEach(erasure -> {
            FieldTable.of(WireJson.tree(erasure), "places", "left").print(terminal);
            terminal.out().println();
            places(erasure).print(terminal);
        });
    }

    /** Returns the places where bytes of the events may remain. */
    static Table places(ErasureView erasure) {
        Table table =
                new Table().left("COULD STILL BE IN").left("WHAT").left("UNTIL").wrapped("BOUNDED BY", 30);
        erasure.places().forEach(place -> table.row(place.name(), place.content(), until(place), place.setting()));
        return table;
    }

    private static String until(ErasureView.PlaceView place) {
        if (place.until() == null) {
            return "no bound";
        }
        return place.isClean() ? "gone since " + place.until() : place.until().toString();
    }
}
