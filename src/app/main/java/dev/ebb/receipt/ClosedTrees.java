package dev.ebb.receipt;

import java.util.List;

/**
 * Checkpoints of a tree in their order.
 *
 * @param isAll false if more checkpoints follow
 */
record ClosedTrees(List<ClosedTree> list, boolean isAll) {

    ClosedTrees {
        list = List.copyOf(list);
    }
}
