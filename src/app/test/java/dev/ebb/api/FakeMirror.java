package dev.ebb.api;

import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowsDigest;
import java.util.ArrayList;
import java.util.List;

/** A comparison whose answers are set. */
public final class FakeMirror implements MirrorCheck {

    public final List<String> asked = new ArrayList<>();
    public final List<Difference> found = new ArrayList<>();
    public RuntimeException failure;

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
