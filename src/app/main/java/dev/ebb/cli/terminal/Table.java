package dev.ebb.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Aligned columns of text. Cells are made safe; on a terminal that is too narrow the widest columns are cut. Columns of
 * long texts wrap instead, also where the width has no limit.
 */
public final class Table {

    private static final String GAP = "  ";
    private static final int MIN_COLUMN = 8;
    /** Width that fits beside another window on most screens, and on a page. */
    private static final int COMFORTABLE = 120;

    private final List<Column> columns = new ArrayList<>();
    private final List<List<Cell>> rows = new ArrayList<>();

    /** A cell and its style. */
    public record Cell(String text, Style style) {

        public Cell {
            text = CellText.safe(text);
        }

        /** Returns the cell itself, or a plain one with the text of the value; a dash for null. */
        public static Cell of(@Nullable Object value) {
            return value instanceof Cell cell ? cell : new Cell(Objects.toString(value, Texts.NONE), Style.PLAIN);
        }
    }

    /**
     * @param leastWrapped the width down to which a column wraps before others are cut; 0 if its texts stay in one line
     */
    private record Column(String title, boolean isRight, int leastWrapped) {

        boolean isWrapped() {
            return leastWrapped > 0;
        }
    }

    /** Adds a column of texts. */
    public Table left(String title) {
        columns.add(new Column(title, false, 0));
        return this;
    }

    /** Adds a column of texts that wrap where more than the least width would make the table too wide. */
    public Table wrapped(String title, int least) {
        columns.add(new Column(title, false, least));
        return this;
    }

    /** Adds a column of numbers. */
    public Table right(String title) {
        columns.add(new Column(title, true, 0));
        return this;
    }

    /** Returns a table of facts about one thing, without titles. */
    public static Table ofFacts() {
        return new Table().left("").left("");
    }

    /** Adds a fact: its name, in a subdued style, and its value. */
    public Table fact(String name, @Nullable Object value) {
        return row(new Cell(name, Style.DIM), value);
    }

    /** Adds a row; cells may be {@link Cell}s or any other objects, which are shown as their text, null as a dash. */
    public Table row(@Nullable Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        rows.add(Stream.of(cells).map(Cell::of).toList());
        return this;
    }

    /** Writes titles and rows. */
    public void print(Terminal terminal) {
        lines(terminal).forEach(terminal.out()::println);
        terminal.out().flush();
    }

    /** Returns titles and rows as lines. */
    public List<String> lines(Terminal terminal) {
        List<String> lines = new ArrayList<>();
        int[] widths = widths(terminal.columns());
        List<Cell> titles = columns.stream()
                .map(column -> new Cell(column.title(), Style.BOLD))
                .toList();
        if (columns.stream().anyMatch(column -> !column.title().isEmpty())) {
            lines.add(line(titles, widths, terminal));
            if (rows.isEmpty()) {
                lines.add(terminal.styled(Style.DIM, "(none)"));
            }
        }
        rows.forEach(row -> addLines(lines, row, widths, terminal));
        return lines;
    }

    private int[] widths(int available) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = CellText.width(columns.get(i).title());
            for (List<Cell> row : rows) {
                widths[i] = Math.max(widths[i], CellText.width(row.get(i).text()));
            }
        }
        int gaps = GAP.length() * (widths.length - 1);
        int[] leasts = columns.stream()
                .mapToInt(column -> column.isWrapped() ? column.leastWrapped() : Integer.MAX_VALUE)
                .toArray();
        shrink(widths, Math.min(available, COMFORTABLE) - gaps, leasts);
        shrink(
                widths,
                available - gaps,
                IntStream.of(widths).map(width -> MIN_COLUMN).toArray());
        return widths;
    }

    private static void shrink(int[] widths, int available, int[] leasts) {
        int total = IntStream.of(widths).sum();
        int widest = widest(widths, leasts);
        while (total > available && widest >= 0) {
            widths[widest]--;
            total--;
            widest = widest(widths, leasts);
        }
    }

    /** Returns the first of the widest columns that are wider than they must be; negative if there is none. */
    private static int widest(int[] widths, int[] leasts) {
        int widest = -1;
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] > leasts[i] && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        return widest;
    }

    private void addLines(List<String> lines, List<Cell> row, int[] widths, Terminal terminal) {
        if (columns.stream().noneMatch(Column::isWrapped)) {
            lines.add(line(row, widths, terminal));
            return;
        }
        List<List<String>> texts = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            String text = row.get(i).text();
            texts.add(columns.get(i).isWrapped() ? CellText.wrap(text, widths[i]) : List.of(text));
        }
        int count = texts.stream().mapToInt(List::size).max().orElse(1);
        for (int n = 0; n < count; n++) {
            List<Cell> cells = new ArrayList<>();
            for (int i = 0; i < widths.length; i++) {
                String text = n < texts.get(i).size() ? texts.get(i).get(n) : "";
                cells.add(new Cell(text, row.get(i).style()));
            }
            lines.add(line(cells, widths, terminal));
        }
    }

    private String line(List<Cell> cells, int[] widths, Terminal terminal) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            Cell cell = cells.get(i);
            String text = CellText.cut(cell.text(), widths[i]);
            String blanks = " ".repeat(widths[i] - CellText.width(text));
            String styled = terminal.styled(cell.style(), text);
            line.append(i == 0 ? "" : GAP);
            line.append(columns.get(i).isRight() ? blanks + styled : styled + blanks);
        }
        return line.toString().stripTrailing();
    }
}
