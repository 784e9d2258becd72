package dev.ebb.cli.terminal;

import dev.ebb.cli.terminal.Table.Cell;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a table whose rows are elements of one type; each column shows a value of the element. Used for one table.
 *
 * @param <T> the type of the elements
 */
public final class Columns<T> {

    private final Table table = new Table();
    private final List<Shown<? super T, ?>> columns = new ArrayList<>();

    /** Value of an element in one column; null is shown as a dash. */
    public interface Shown<T, V> {
        @Nullable
        V of(T thing);
    }

    /** Adds a column of texts, or of cells. */
    public Columns<T> left(String title, Shown<? super T, ?> value) {
        table.left(title);
        columns.add(value);
        return this;
    }

    /** Adds a column of texts that wrap where more than the least width would make the table too wide. */
    public Columns<T> wrapped(String title, int least, Shown<? super T, ?> value) {
        table.wrapped(title, least);
        columns.add(value);
        return this;
    }

    /** Adds a column of texts, or of cells, that are aligned to the right. */
    public Columns<T> right(String title, Shown<? super T, ?> value) {
        table.right(title);
        columns.add(value);
        return this;
    }

    /** Adds a column of numbers with separators between thousands. */
    public Columns<T> count(String title, Shown<? super T, ? extends Number> value) {
        return right(title, thing -> {
            Number number = value.of(thing);
            return number == null ? null : Texts.count(number.longValue());
        });
    }

    /** Adds a column of sizes. */
    public Columns<T> bytes(String title, Shown<? super T, Long> value) {
        return right(title, thing -> Texts.bytes(value.of(thing)));
    }

    /** Adds a column of times. */
    public Columns<T> time(String title, Shown<? super T, Instant> value) {
        return left(title, thing -> Texts.time(value.of(thing)));
    }

    /** Returns the table with a row for each element. */
    public Table table(Iterable<? extends T> things) {
        for (T thing : things) {
            table.row(columns.stream().map(column -> Cell.of(column.of(thing))).toArray());
        }
        return table;
    }
}
