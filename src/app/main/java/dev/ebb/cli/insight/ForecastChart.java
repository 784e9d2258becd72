package dev.ebb.cli.insight;

import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.forecast.AmountView;
import dev.ebb.wire.forecast.BucketView;
import dev.ebb.wire.forecast.ForecastView;
import dev.ebb.wire.forecast.ForecastView.DueView;
import dev.ebb.wire.forecast.ForecastView.NamespaceView;
import dev.ebb.wire.forecast.ForecastView.OthersView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A forecast as bars on a terminal, and as a table elsewhere, with the namespaces below. */
final class ForecastChart {

    private static final String ABOUT = "~";
    private static final String[] EIGHTHS = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    private static final String FULL = "█";
    private static final int EIGHT = 8;

    /** Width of a line without its bar: the time, a number, a size, and the gaps. */
    private static final int BESIDE = 52;

    private static final int LEAST_BAR = 10;
    private static final int MOST_BAR = 60;
    private static final int LENGTH_OF_DAY = 10;
    private static final int LENGTH_OF_MINUTE = 16;
    private static final long DAY_MS = 24L * 3600 * 1000;

    private final ForecastView forecast;
    private final String step;
    private final List<DueView> due;

    /** @param step the step, as the caller wrote it */
    ForecastChart(ForecastView forecast, String step) {
        this.forecast = forecast;
        this.step = step;
        this.due = IntStream.range(0, forecast.buckets().size())
                .mapToObj(this::sum)
                .toList();
    }

    private DueView sum(int bucket) {
        List<DueView> parts = new ArrayList<>();
        forecast.namespaces().forEach(one -> parts.add(one.due().get(bucket)));
        OthersView others = forecast.others();
        if (others != null) {
            parts.add(others.due().get(bucket));
        }
        return new DueView(
                parts.stream().mapToLong(DueView::events).sum(),
                parts.stream().mapToLong(DueView::bytes).sum(),
                parts.stream().allMatch(DueView::exact));
    }

    void print(Terminal terminal) {
        if (forecast.stored().events() == 0) {
            terminal.out()
                    .println("No events are stored there. 'ebb namespace list' shows the namespaces with events.");
            return;
        }
        (terminal.isOutTerminal() ? bars(terminal) : table()).print(terminal);
        terminal.out().println();
        namespaces().print(terminal);
        if (forecast.partitionsMissing() > 0) {
            terminal.out()
                    .println("Not exact: " + Texts.counted(forecast.partitionsMissing(), "partition")
                            + " could not be surveyed.");
        }
        if (forecast.readEvents() < forecast.stored().events()) {
            terminal.out()
                    .println("Still being read: " + Texts.count(forecast.readEvents()) + " of "
                            + Texts.counted(forecast.stored().events(), "event")
                            + " so far; the rest is a guess. Ask again in a moment.");
        }
    }

    /** Returns the numbers without a chart, for programs and files. */
    private Table table() {
        Table table = new Table()
                .left("FROM")
                .left("TO")
                .right("EVENTS")
                .right("BYTES")
                .left("EXACT");
        for (int i = 0; i < due.size(); i++) {
            BucketView bucket = forecast.buckets().get(i);
            table.row(
                    Texts.time(Instant.ofEpochMilli(bucket.from())),
                    Texts.time(Instant.ofEpochMilli(bucket.to())),
                    Texts.count(due.get(i).events()),
                    Texts.bytes(due.get(i).bytes()),
                    due.get(i).exact() ? "yes" : "no");
        }
        return table;
    }

    private Table bars(Terminal terminal) {
        AmountView overdue = overdue();
        long most = Math.max(
                overdue.events(), due.stream().mapToLong(DueView::events).max().orElse(0));
        int width = Math.max(LEAST_BAR, Math.min(MOST_BAR, terminal.columns() - BESIDE));
        Table table =
                new Table().left("DUE IN UTC").right("EVENTS").right("BYTES").left("");
        if (overdue.events() > 0) {
            row(
                    table,
                    new Cell("overdue", Style.YELLOW),
                    new DueView(overdue.events(), overdue.bytes(), true),
                    Style.YELLOW,
                    most,
                    width);
        }
        for (int i = 0; i < due.size(); i++) {
            row(table, new Cell(label(forecast.buckets().get(i)), Style.PLAIN), due.get(i), Style.CYAN, most, width);
        }
        return table;
    }

    private static void row(Table table, Cell label, DueView due, Style style, long most, int width) {
        String about = due.exact() ? "" : ABOUT;
        table.row(
                label,
                about + Texts.count(due.events()),
                about + Texts.bytes(due.bytes()),
                new Cell(bar(due.events(), most, width), style));
    }

    /** Returns a bar in eighths of a character; any number above 0 is visible. */
    static String bar(long events, long most, int width) {
        if (events == 0 || most == 0) {
            return "";
        }
        long eighths = Math.max(1, Math.round((double) events * width * EIGHT / most));
        return FULL.repeat((int) (eighths / EIGHT)) + EIGHTHS[(int) (eighths % EIGHT)];
    }

    /** Returns the time of a bucket; only its date where all steps begin at midnight. */
    private String label(BucketView bucket) {
        String time = Texts.time(Instant.ofEpochMilli(bucket.from()));
        boolean isByDays = !step.equals("hour") && forecast.from() % DAY_MS == 0 && forecast.stepMs() % DAY_MS == 0;
        return isByDays
                ? time.substring(0, LENGTH_OF_DAY)
                : time.substring(0, LENGTH_OF_MINUTE).replace('T', ' ');
    }

    private Table namespaces() {
        Table table = new Table()
                .left("NAMESPACE")
                .right("STORED")
                .right("OVERDUE")
                .right("SOONER")
                .right("SHOWN ABOVE")
                .right("LATER")
                .right("NEVER");
        forecast.namespaces().forEach(one -> row(table, one.namespace(), one));
        OthersView others = forecast.others();
        if (others != null) {
            row(
                    table,
                    Texts.counted(others.namespaces(), "other"),
                    new NamespaceView(
                            "",
                            others.stored(),
                            others.overdue(),
                            others.sooner(),
                            others.due(),
                            others.later(),
                            others.never()));
        }
        return table;
    }

    private static void row(Table table, String name, NamespaceView one) {
        table.row(
                name,
                Texts.count(one.stored().events()),
                Texts.count(one.overdue().events()),
                Texts.count(one.sooner().events()),
                Texts.count(one.due().stream().mapToLong(DueView::events).sum()),
                Texts.count(one.later().events()),
                Texts.count(one.never().events()));
    }

    private AmountView overdue() {
        AmountView sum =
                forecast.namespaces().stream().map(NamespaceView::overdue).reduce(AmountView.NOTHING, AmountView::plus);
        OthersView others = forecast.others();
        return others == null ? sum : sum.plus(others.overdue());
    }
}
