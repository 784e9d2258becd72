package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.Reported;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of an outcome in the table of a result: one for each component that is {@link Reported} with a label. */
final class OutcomeRows {

    private OutcomeRows() {}

    /** Adds the rows of the record, and those of a record in it. */
    static void show(Table table, Record record, boolean isDryRun) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Reported reported = component.getAnnotation(Reported.class);
            Object value = value(component, record);
            if (value instanceof Record inner) {
                show(table, inner, isDryRun);
            } else if (reported != null && !reported.label().isEmpty() && isShown(reported, isDryRun)) {
                String label = isDryRun && !reported.dryLabel().isEmpty() ? reported.dryLabel() : reported.label();
                boolean isRest = !reported.without().isEmpty();
                show(table, label, reported, isRest ? rest(value, record, reported.without()) : value);
            }
        }
    }

    /** Returns the part of a count that the row of another one does not show. */
    private static Long rest(@Nullable Object all, Record record, String without) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            if (component.getName().equals(without) && all instanceof Long sum) {
                return Math.max(0, sum - (Long) Objects.requireNonNull(value(component, record)));
            }
        }
        throw new IllegalStateException("a " + record.getClass().getSimpleName() + " has no count " + without);
    }

    private static boolean isShown(Reported reported, boolean isDryRun) {
        return reported.in() == Reported.Run.BOTH || (reported.in() == Reported.Run.DRY) == isDryRun;
    }

    private static void show(Table table, String label, Reported reported, @Nullable Object value) {
        if (value instanceof Map<?, ?> byReason) {
            byReason.forEach((reason, number) -> table.fact(label + ", " + reason, Texts.count((Long) number)));
        } else if (value instanceof Long number) {
            if (reported.always() || number != 0) {
                table.fact(label, reported.plain() ? number.toString() : Texts.count(number));
            }
        } else if (reported.always() || value != null) {
            table.fact(label, Texts.time((Instant) value));
        }
    }

    private static @Nullable Object value(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the component " + component + " cannot be read", e);
        }
    }
}
