package dev.ebb.cli.events;

import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.serde.lines.Line;
import java.util.function.Consumer;

/** Reports lines that were not sent, or sent in vain: the first ones with their reasons, and the number of the others. */
public final class FaultyLines implements Consumer<Line.Unreadable> {

    private static final int SHOWN = 20;

    private final Terminal terminal;
    private long count;

    public FaultyLines(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void accept(Line.Unreadable line) {
        count++;
        if (count <= SHOWN) {
            String where = terminal.styled(Style.YELLOW, "line " + line.number() + ":");
            terminal.err().println(where + " " + CellText.safe(line.message()));
        }
    }

    public void finish() {
        if (count > SHOWN) {
            terminal.err().println("and " + Texts.count(count - SHOWN) + " more faulty lines");
        }
        terminal.err().flush();
    }
}
