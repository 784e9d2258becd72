package dev.ebb.instance;

import java.util.List;

/**
 * Removal of a dead instance from the group.
 *
 * @param instance host and port of its API; empty if not known
 * @param member its fixed name in the group
 * @param partitions the partitions that it kept, and the others take over
 * @param withoutCopy those of these partitions that have no copy elsewhere: they are restored from the changelog first
 * @param evidence the signs by which it was found dead
 * @param isRemoved false if only the finding was asked for
 */
public record RemovalView(
        String instance,
        String member,
        List<Integer> partitions,
        List<Integer> withoutCopy,
        String evidence,
        boolean isRemoved) {}
