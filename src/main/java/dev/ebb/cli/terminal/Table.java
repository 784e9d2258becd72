package dev.ebb.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Aligned columns of text. Cells are made safe; on a terminal that is too narrow the widest columns are cut. */
public final class Table {

    private static final String GAP = "  ";
    private static final int MIN_COLUMN = 8;

    private final List<Column> columns = new ArrayList<>();
    private final List<List<Cell>> rows = new ArrayList<>();

    /** A cell and how it stands out. */
    public record Cell(String text, Style style) {

        public Cell {
            text = CellText.safe(text);
        }

        public static Cell of(Object value) {
            return new Cell(String.valueOf(value), Style.PLAIN);
        }
    }

    private record Column(String title, boolean isRight) {}

    /** Adds a column of texts. */
    public Table left(String title) {
        columns.add(new Column(title, false));
        return this;
    }

    /** Adds a column of numbers. */
    public Table right(String title) {
        columns.add(new Column(title, true));
        return this;
    }

    /** Adds a row; cells may be {@link Cell}s or anything else, which is shown as its text. */
    public Table row(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        List<Cell> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell instanceof Cell styled ? styled : Cell.of(cell));
        }
        rows.add(row);
        return this;
    }

    /** Writes titles and rows. */
    public void print(Terminal terminal) {
        lines(terminal).forEach(terminal.out()::println);
        terminal.out().flush();
    }

    /** Titles and rows as lines. */
    public List<String> lines(Terminal terminal) {
        List<String> lines = new ArrayList<>();
        int[] widths = widths(terminal.columns());
        List<Cell> titles = columns.stream()
                .map(column -> new Cell(column.title(), Style.BOLD))
                .toList();
        if (columns.stream().anyMatch(column -> !column.title().isEmpty())) {
            lines.add(line(titles, widths, terminal));
        }
        rows.forEach(row -> lines.add(line(row, widths, terminal)));
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
        shrink(widths, available - GAP.length() * (widths.length - 1));
        return widths;
    }

    private static void shrink(int[] widths, int available) {
        int total = 0;
        for (int width : widths) {
            total += width;
        }
        while (total > available) {
            int widest = widest(widths);
            if (widths[widest] <= MIN_COLUMN) {
                return;
            }
            widths[widest]--;
            total--;
        }
    }

    private static int widest(int[] widths) {
        int widest = 0;
        for (int i = 1; i < widths.length; i++) {
            if (widths[i] > widths[widest]) {
                widest = i;
            }
        }
        return widest;
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
