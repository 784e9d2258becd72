package dev.ebb.api;

import dev.ebb.domain.command.RowKey;
import dev.ebb.serde.MirrorTable;
import dev.ebb.serde.RowsDigest;
import java.util.ArrayList;
import java.util.List;

/** A comparison whose answers are set. */
final class FakeMirror implements MirrorCheck {

    final List<String> asked = new ArrayList<>();
    final List<Difference> found = new ArrayList<>();
    RuntimeException failure;

    @Override
    public Mark mark() {
        fail();
        return new Mark(4, "1,2;3,4");
    }

    @Override
    public boolean hasPassed(String mark) {
        fail();
        return mark.equals("1,2;3,4");
    }

    @Override
    public DigestPage stored(int partition, MirrorTable table, String after) {
        fail();
        asked.add("stored " + partition + " " + table + " " + after);
        return new DigestPage(List.of(new GroupDigest("s", "2026-11", new RowsDigest(2, 1, -1))), "more");
    }

    @Override
    public DigestPage inSql(MirrorTable table, String after) {
        fail();
        asked.add("sql " + table + " " + after);
        return new DigestPage(List.of(), null);
    }

    @Override
    public DifferencePage differences(int partition, Group group, String after) {
        fail();
        asked.add("differences " + partition + " " + group + " " + after);
        return new DifferencePage(found, null);
    }

    @Override
    public List<Difference> look(int partition, String stream, List<RowKey> rows, List<Long> executions) {
        fail();
        asked.add("look " + partition + " " + stream + " " + rows + " " + executions);
        return found;
    }

    private void fail() {
        if (failure != null) {
            throw failure;
        }
    }
}
