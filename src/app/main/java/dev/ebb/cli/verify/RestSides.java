package dev.ebb.cli.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowsDigest;
import dev.ebb.topology.wire.StreamPartition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks the application for both sides, page by page. Not thread-safe. */
final class RestSides implements Sides {

    private final RestApi api;
    private final Repairs repairs;
    private final int partitions;

    /** Asks how many partitions there are. */
    RestSides(RestApi api, Repairs repairs) {
        this.api = api;
        this.repairs = repairs;
        this.partitions =
                api.get(RestPath.of("v1", "verify")).path("partitions").asInt();
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public String mark() {
        return api.get(RestPath.of("v1", "verify")).path("mark").asText();
    }

    @Override
    public boolean hasPassed(String mark) {
        return api.get(RestPath.of("v1", "verify", "passed").with("mark", mark))
                .path("passed")
                .asBoolean();
    }

    @Override
    public Iterator<StreamRows> stored(int partition, MirrorTable table) {
        return digests(() -> partition(partition).with("table", table));
    }

    @Override
    public Iterator<StreamRows> inSql(MirrorTable table) {
        return digests(() -> RestPath.of("v1", "verify", "sql").with("table", table));
    }

    private Iterator<StreamRows> digests(Supplier<RestPath> path) {
        return new Joined(new Pages<>(path, "digests", Function.identity()));
    }

    @Override
    public Iterator<DifferentRow> differences(MirrorTable table, String stream, String month) {
        return new Pages<>(
                () -> differencesOf(stream)
                        .with("table", table)
                        .with("stream", stream)
                        .with("month", month.isEmpty() ? null : month),
                "differences",
                row -> new DifferentRow(table, row));
    }

    @Override
    public List<DifferentRow> look(List<DifferentRow> rows) {
        DifferentRow first = rows.get(0);
        JsonNode answer = api.post(differencesOf(first.stream()), fields(rows).put("stream", first.stream()));
        List<DifferentRow> found = new ArrayList<>();
        answer.path("differences").forEach(row -> found.add(new DifferentRow(first.table(), row)));
        return found;
    }

    @Override
    public Repaired repair(List<DifferentRow> rows) {
        JsonNode result = repairs.repair(rows.get(0).stream(), fields(rows));
        return new Repaired(
                result.path("rowsSent").asLong(), result.path("rowsRemoved").asLong());
    }

    private static ObjectNode fields(List<DifferentRow> rows) {
        ObjectNode fields = Json.object();
        boolean areEvents = rows.get(0).table() == MirrorTable.EVENTS;
        ArrayNode list = fields.putArray(areEvents ? "rows" : "executions");
        for (DifferentRow row : rows) {
            if (areEvents) {
                list.add(row.row().toString());
            } else {
                list.add(row.execution());
            }
        }
        return fields;
    }

    private static RestPath partition(int partition) {
        return RestPath.of("v1", "verify", "partitions", Integer.toString(partition));
    }

    /** A name that no stream can have stands in no partition; any of them can say that nothing of it is stored. */
    private RestPath differencesOf(String stream) {
        int partition = StreamName.problem(stream) == null ? StreamPartition.of(new StreamName(stream), partitions) : 0;
        return RestPath.of("v1", "verify", "partitions", Integer.toString(partition), "differences");
    }

    /** The elements of a list that comes in pages. */
    private final class Pages<T> implements Iterator<T> {

        private final Supplier<RestPath> path;
        private final String field;
        private final Function<JsonNode, T> reader;
        private final Deque<JsonNode> page = new ArrayDeque<>();
        private @Nullable String after;
        private boolean isLast;

        Pages(Supplier<RestPath> path, String field, Function<JsonNode, T> reader) {
            this.path = path;
            this.field = field;
            this.reader = reader;
        }

        @Override
        public boolean hasNext() {
            while (page.isEmpty() && !isLast) {
                JsonNode answer = api.get(path.get().with("after", after));
                answer.path(field).forEach(page::add);
                after = answer.path("next").textValue();
                isLast = after == null;
            }
            return !page.isEmpty();
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return reader.apply(page.remove());
        }
    }

    /** Adds the parts up that belong to one stream; they follow each other. */
    private static final class Joined implements Iterator<StreamRows> {

        private final Iterator<JsonNode> parts;
        private @Nullable JsonNode next;

        Joined(Iterator<JsonNode> parts) {
            this.parts = parts;
            advance();
        }

        private void advance() {
            next = parts.hasNext() ? parts.next() : null;
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public StreamRows next() {
            if (next == null) {
                throw new NoSuchElementException();
            }
            String stream = next.path("stream").asText();
            Map<String, RowsDigest> months = new HashMap<>();
            while (next != null && next.path("stream").asText().equals(stream)) {
                RowsDigest digest = RowsDigest.of(
                        next.path("rows").asLong(), next.path("hash").asText());
                months.merge(next.path("month").asText(), digest, RowsDigest::plus);
                advance();
            }
            return new StreamRows(stream, months);
        }
    }
}
