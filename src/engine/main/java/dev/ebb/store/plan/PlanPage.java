package dev.ebb.store.plan;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Items of a plan as one value of the store, in the order in which they would go. The stream and the cause are written
 * once, before all items that share them. Not thread-safe.
 */
public final class PlanPage {

    /** The most items of a page, which is always read whole. */
    static final int MOST_ITEMS = 2000;

    /** The size in bytes from which on a page takes no further item: far below the largest record of any broker. */
    static final int MOST_BYTES = 1 << 17;

    private static final int END = 0;

    private static final int STREAM = 1;
    private static final int EVENT = 2;
    private static final int EXECUTION = 3;

    private final List<PlannedItem> items = new ArrayList<>();
    private int bytes;

    public void add(PlannedItem item) {
        items.add(item);
        String id = item.id();
        bytes += item.stream().value().length() + (id == null ? 0 : id.length()) + Long.BYTES;
    }

    public boolean isFull() {
        return items.size() >= MOST_ITEMS || bytes >= MOST_BYTES;
    }

    public boolean isEmpty() {
        return items.isEmpty();
    }

    /** Returns the items, from which {@link #of} makes a page again. */
    public List<PlannedItem> items() {
        return List.copyOf(items);
    }

    public static PlanPage of(List<PlannedItem> items) {
        PlanPage page = new PlanPage();
        items.forEach(page::add);
        return page;
    }

    public byte[] encode() {
        ByteWriter out = new ByteWriter(bytes + 64);
        PlannedItem before = null;
        for (PlannedItem item : items) {
            if (before == null || !isOfOneRun(before, item)) {
                out.writeByte(STREAM)
                        .writeInt(item.sid())
                        .writeText(item.stream().value())
                        .writeText(item.cause().name());
            }
            write(item, out);
            before = item;
        }
        return out.writeByte(END).toBytes();
    }

    private static boolean isOfOneRun(PlannedItem one, PlannedItem other) {
        return one.stream().equals(other.stream()) && one.sid() == other.sid() && one.cause() == other.cause();
    }

    private static void write(PlannedItem item, ByteWriter out) {
        String id = item.id();
        if (id == null) {
            out.writeByte(EXECUTION);
        } else {
            out.writeByte(EVENT).writeText(id);
        }
        out.writeVarLong(item.number());
    }

    public static PlanPage decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        PlanPage page = new PlanPage();
        StreamName stream = null;
        int sid = PlannedItem.NO_SID;
        RemovalCause cause = null;
        for (int kind = in.readByte(); kind != END; kind = in.readByte()) {
            if (kind == STREAM) {
                sid = in.readInt();
                stream = new StreamName(in.readText());
                cause = RemovalCause.valueOf(in.readText());
            } else {
                page.add(read(kind, stream, sid, cause, in));
            }
        }
        return page;
    }

    private static PlannedItem read(
            int kind, @Nullable StreamName stream, int sid, @Nullable RemovalCause cause, ByteReader in) {
        StreamName of = Objects.requireNonNull(stream, "an item stands before its stream");
        RemovalCause why = Objects.requireNonNull(cause, "an item stands before its cause");
        return kind == EVENT
                ? new PlannedItem(of, sid, in.readText(), in.readVarLong(), why)
                : PlannedItem.execution(of, sid, in.readVarLong(), why);
    }
}
