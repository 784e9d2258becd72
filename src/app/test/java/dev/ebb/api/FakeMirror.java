package dev.ebb.api;

import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowsDigest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A comparison whose answers are set. */
public final class FakeMirror implements MirrorCheck {

    /** The partition that has rows: two pages, one of the stream {@code s} on each. */
    static final int PARTITION = 0;

    public final List<String> asked = new CopyOnWriteArrayList<>();
    public final List<Difference> found = new CopyOnWriteArrayList<>();
    public final List<GroupDigest> inSql = new CopyOnWriteArrayList<>();
    public volatile Refusals refusals = Refusals.NONE;
    public volatile RuntimeException failure;
    public volatile RuntimeException sqlFailure;
    public volatile RuntimeException partitionFailure;

    @Override
    public String mark() {
        fail();
        return "1,2;3,4";
    }

    @Override
    public boolean hasPassed(String mark) {
        fail();
        return mark.equals("1,2;3,4");
    }

    @Override
    public DigestPage stored(int partition, MirrorTable table, String after) {
        fail();
        failWith(partitionFailure);
        asked.add("stored " + partition + " " + table + " " + after);
        boolean hasRows = partition == PARTITION && table == MirrorTable.EVENTS;
        List<GroupDigest> digests = List.of(new GroupDigest("s", "2026-11", new RowsDigest(2, 1, -1)));
        return new DigestPage(hasRows ? digests : List.of(), hasRows && after == null ? "more" : null);
    }

    @Override
    public DigestPage inSql(MirrorTable table, String after) {
        fail();
        failWith(sqlFailure);
        asked.add("sql " + table + " " + after);
        return new DigestPage(table == MirrorTable.EVENTS ? inSql : List.of(), null);
    }

    @Override
    public DifferencePage differences(Group group, String after) {
        fail();
        asked.add("differences " + group + " " + after);
        return new DifferencePage(found, null);
    }

    @Override
    public List<Difference> look(String stream, List<RowKey> rows, List<Long> executions) {
        fail();
        asked.add("look " + stream + " " + rows + " " + executions);
        return found;
    }

    @Override
    public Refusals refused(int most) {
        fail();
        return refusals;
    }

    private void fail() {
        failWith(failure);
    }

    private static void failWith(RuntimeException failure) {
        if (failure != null) {
            throw failure;
        }
    }
}
