package dev.ebb.runtime.verify;

import dev.ebb.api.http.Audience;
import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.MirrorCheck;
import dev.ebb.port.NotReadyException;
import dev.ebb.runtime.reads.PageBudget;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowImage;
import dev.ebb.sql.MirrorPosition;
import dev.ebb.sql.MirrorTables;
import dev.ebb.sql.RefusedRows;
import dev.ebb.sql.SqlMirrorException;
import dev.ebb.topology.wire.StreamPartition;
import java.time.Duration;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares the stores of this instance with SQL, a page at a time, in the thread of the caller. Thread-safe.
 *
 * <p>A store is never behind SQL, so wherever both are read, SQL is read first: a change between the two reads shows as
 * a newer version of the stored row, never as a fault of the mirror.
 *
 * @param tables the tables of the mirror; throws {@link NoMirrorException} or {@link NotReadyException} without them
 * @param position the position of the sinks; throws the same exceptions
 * @param refused the rows that the database has refused; throws the same exceptions
 */
public record LocalMirrorCheck(
        PartitionStores stores,
        int partitions,
        Supplier<MirrorTables> tables,
        Supplier<MirrorPosition> position,
        Supplier<RefusedRows> refused)
        implements MirrorCheck {

    private static final int SQL_ROWS_AT_ONCE = 20_000;
    private static final int ROWS_COMPARED_AT_ONCE = 2000;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    /** The first word of a cursor of differences: the side that is being read. */
    private static final String BY_SQL = "sql";

    private static final String BY_STORE = "store";

    @Override
    public String mark() {
        return ask(() -> position.get().mark());
    }

    @Override
    public boolean hasPassed(String mark) {
        try {
            return ask(() -> position.get().hasPassed(mark));
        } catch (IllegalArgumentException e) {
            throw new BadCursorException();
        }
    }

    @Override
    public Refusals refused(int most) {
        List<RefusedRows.Refused> rows = ask(() -> refused.get().read(most));
        return new Refusals(
                rows.isEmpty() ? 0 : rows.get(0).all(),
                rows.stream()
                        .map(row -> new Refused(
                                row.table(), row.key(), row.reason(), row.isDelete(), row.refusedAt(), row.record()))
                        .toList());
    }

    @Override
    public DigestPage stored(int partition, MirrorTable table, @Nullable String after) {
        PageBudget budget = new PageBudget();
        RowDigests digests = new RowDigests();
        List<String> next = read(
                partition,
                stored -> stored.visit(table, RowCursor.parse(after), row -> {
                    if (!budget.spend()) {
                        return false;
                    }
                    digests.add(row);
                    return true;
                }));
        return new DigestPage(digests.parts(), next == null ? null : RowCursor.text(next));
    }

    @Override
    public DigestPage inSql(MirrorTable table, @Nullable String after) {
        RowDigests digests = new RowDigests();
        try {
            ask(() -> {
                tables.get().read(table, RowCursor.parse(after), SQL_ROWS_AT_ONCE, digests::add);
                return true;
            });
        } catch (IllegalArgumentException e) {
            throw new BadCursorException();
        }
        return new DigestPage(digests.parts(), digests.next(SQL_ROWS_AT_ONCE));
    }

    @Override
    public DifferencePage differences(Group group, @Nullable String after) {
        return read(
                partitionOf(group.stream()),
                stored -> group.table() == MirrorTable.EVENTS
                        ? events(stored, group, RowCursor.parse(after))
                        : executions(stored, group.stream()));
    }

    /** Compares the rows of SQL first, one by one; then finds stored events that SQL lacks. */
    private DifferencePage events(StoredRows stored, Group group, @Nullable List<String> cursor) {
        if (cursor == null || cursor.get(0).equals(BY_SQL)) {
            return bySql(stored, group, cursor == null ? null : cursor.subList(1, cursor.size()));
        }
        if (StreamName.problem(group.stream()) != null) {
            return new DifferencePage(List.of(), null);
        }
        return byStore(stored, group, cursor.size() > 1 ? cursor.get(1) : null);
    }

    private DifferencePage bySql(StoredRows stored, Group group, @Nullable List<String> after) {
        RowDifferences differences = new RowDifferences(MirrorTable.EVENTS, group.stream(), stored);
        YearMonth month = YearMonth.parse(group.month());
        List<List<String>> keys = new ArrayList<>();
        ask(() -> {
            tables.get().read(MirrorTable.EVENTS, group.stream(), month, after, ROWS_COMPARED_AT_ONCE, row -> {
                Audience.require();
                keys.add(row.key());
                differences.compare(
                        stored.find(group.stream(), RowDifferences.keyOf(row)).orElse(null), row);
            });
            return true;
        });
        return new DifferencePage(differences.found(), RowCursor.text(next(keys)));
    }

    private static List<String> next(List<List<String>> keys) {
        if (keys.size() < ROWS_COMPARED_AT_ONCE) {
            return List.of(BY_STORE);
        }
        List<String> next = new ArrayList<>(List.of(BY_SQL));
        next.addAll(keys.get(keys.size() - 1));
        return next;
    }

    private DifferencePage byStore(StoredRows stored, Group group, @Nullable String from) {
        Map<RowKey, RowImage> images = new LinkedHashMap<>();
        PageBudget budget = new PageBudget();
        String next = stored.visitEvents(new StreamName(group.stream()), from, row -> {
            if (images.size() == ROWS_COMPARED_AT_ONCE || !budget.spend()) {
                return false;
            }
            if (row.month().equals(group.month())) {
                images.put(RowDifferences.keyOf(row), row);
            }
            return true;
        });
        ask(() -> tables.get().find(group.stream(), List.copyOf(images.keySet())))
                .forEach(row -> images.remove(RowDifferences.keyOf(row)));
        RowDifferences differences = new RowDifferences(MirrorTable.EVENTS, group.stream(), stored);
        images.values().forEach(row -> differences.compare(row, null));
        return new DifferencePage(differences.found(), next == null ? null : RowCursor.text(List.of(BY_STORE, next)));
    }

    /** Compares the executions of a stream all at once, since there are few. */
    private DifferencePage executions(StoredRows stored, String stream) {
        List<RowImage> rows = new ArrayList<>();
        ask(() -> {
            tables.get().read(MirrorTable.EXECUTIONS, stream, null, null, SQL_ROWS_AT_ONCE, rows::add);
            return true;
        });
        return new DifferencePage(ofExecutions(stored, stream, rows), null);
    }

    private static List<Difference> ofExecutions(StoredRows stored, String stream, List<RowImage> sql) {
        Map<List<String>, RowImage> inSql = byKey(sql);
        Map<List<String>, RowImage> inStore = byKey(stored.executions(stream));
        RowDifferences differences = new RowDifferences(MirrorTable.EXECUTIONS, stream, stored);
        inStore.forEach((key, row) -> differences.compare(row, inSql.get(key)));
        inSql.forEach((key, row) -> {
            if (!inStore.containsKey(key)) {
                differences.compare(null, row);
            }
        });
        return differences.found();
    }

    @Override
    public List<Difference> look(String stream, List<RowKey> rows, List<Long> executions) {
        return read(partitionOf(stream), stored -> {
            List<Difference> found = new ArrayList<>();
            if (!rows.isEmpty()) {
                found.addAll(ofEvents(stored, stream, rows));
            }
            if (!executions.isEmpty()) {
                List<RowImage> inSql = ask(() -> tables.get().findExecutions(stream, executions));
                ofExecutions(stored, stream, inSql).stream()
                        .filter(difference -> executions.contains(difference.execution()))
                        .forEach(found::add);
            }
            return found;
        });
    }

    private List<Difference> ofEvents(StoredRows stored, String stream, List<RowKey> rows) {
        Map<List<String>, RowImage> inSql = byKey(ask(() -> tables.get().find(stream, rows)));
        RowDifferences differences = new RowDifferences(MirrorTable.EVENTS, stream, stored);
        rows.forEach(row -> differences.compare(
                stored.find(stream, row).orElse(null), inSql.get(List.of(stream, row.storedAt(), row.eventId()))));
        return differences.found();
    }

    private static Map<List<String>, RowImage> byKey(List<RowImage> rows) {
        return rows.stream()
                .collect(Collectors.toMap(RowImage::key, Function.identity(), (a, b) -> b, LinkedHashMap::new));
    }

    /** For a name that no stream can have, any partition can answer that nothing is stored. */
    private int partitionOf(String stream) {
        return StreamName.problem(stream) == null ? StreamPartition.of(new StreamName(stream), partitions) : 0;
    }

    /** Answers for partitions of this instance; another instance must be asked for its own. */
    private <T> T read(int partition, Function<StoredRows, T> question) {
        return stores.read(partition, stored -> question.apply(new StoredRows(stored)));
    }

    private static <T> T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (SqlMirrorException e) {
            throw new NotReadyException(String.valueOf(e.getMessage()), RETRY_AFTER);
        }
    }
}
