package dev.ebb.topology.receipt;

import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.store.CountingStore;
import dev.ebb.store.layout.SavedTree;

/** Trees for tests of what is sent with them. */
public final class TestTree {

    private TestTree() {}

    /** A tree without leaves. */
    public static AuditTree empty() {
        return new AuditTree(
                TreeName.of(1), "ebb", new SavedTree(new CountingStore("usage", null), null), NoteSigner.NONE);
    }
}
