package dev.ebb.domain.receipt;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leaves that no checkpoint covers so far, and second records with the number of such a leaf; the next root decides
 * which of the two records is the leaf. Not thread-safe.
 */
final class OpenLeaves {

    /** Maximum number of second records; each one doubles the number of roots to try. */
    private static final int MOST_SECONDS = 8;

    private final RightEdge verified;
    private final List<Leaf> leaves = new ArrayList<>();
    private final List<Second> seconds = new ArrayList<>();
    private RightEdge edge;

    private record Leaf(long offset, Hash hash) {}

    /** @param place the index in the list of the leaf with the same number */
    private record Second(int place, Leaf leaf) {}

    /** @param verified the edge at the last checkpoint */
    OpenLeaves(RightEdge verified) {
        this.verified = verified;
        this.edge = verified;
    }

    RightEdge verified() {
        return verified;
    }

    RightEdge edge() {
        return edge;
    }

    @Nullable
    Long firstOffset() {
        return leaves.isEmpty() ? null : (Long) leaves.get(0).offset;
    }

    boolean has(long index) {
        return index >= verified.size() && index < edge.size();
    }

    void add(long offset, Hash leaf) {
        leaves.add(new Leaf(offset, leaf));
        edge = edge.with(leaf);
    }

    /** Adds another record with the given number; returns false if it cannot be the leaf. */
    boolean addSecond(long offset, long index, Hash leaf) {
        if (!has(index) || seconds.size() == MOST_SECONDS) {
            return false;
        }
        int place = Math.toIntExact(index - verified.size());
        if (leaves.get(place).hash.equals(leaf)) {
            return false;
        }
        seconds.add(new Second(place, new Leaf(offset, leaf)));
        return true;
    }

    /** Returns the finding of two records with one number; null if there are none. */
    @Nullable
    Finding inDoubt() {
        if (seconds.isEmpty()) {
            return null;
        }
        Second second = seconds.get(0);
        long index = verified.size() + second.place;
        long offset = leaves.get(second.place).offset;
        return new Finding(
                Finding.Kind.INSERTED,
                index,
                index,
                offset,
                "two records have the number " + index + ", at the offsets " + offset + " and " + second.leaf.offset
                        + ": one of them was inserted");
    }

    /** Compares all leaves with the root of a checkpoint; returns null if they agree and there is no second record. */
    @Nullable
    Finding compare(Hash root) {
        for (int choice = 0; choice < 1 << seconds.size(); choice++) {
            if (edge(choice).root().equals(root)) {
                return seconds.isEmpty() ? null : putIn(choice);
            }
        }
        long last = edge.size() - 1;
        String offsets = leaves.isEmpty() ? "" : leaves.get(0).offset + " to " + leaves.get(leaves.size() - 1).offset;
        return new Finding(
                Finding.Kind.CHANGED,
                verified.size(),
                last,
                leaves.size() == 1 ? firstOffset() : null,
                leaves.size() == 1
                        ? "the record was changed with its mark: the root of the checkpoint at " + edge.size()
                                + " is another"
                        : "one of the records at the offsets " + offsets
                                + " was changed with its mark: the root of the checkpoint at " + edge.size()
                                + " is another");
    }

    /** @param choice a set bit for each second record that is taken as the leaf */
    private RightEdge edge(int choice) {
        if (choice == 0) {
            return edge;
        }
        List<Hash> chosen = new ArrayList<>(leaves.stream().map(Leaf::hash).toList());
        for (int i = 0; i < seconds.size(); i++) {
            if (isChosen(choice, i)) {
                chosen.set(seconds.get(i).place, seconds.get(i).leaf.hash);
            }
        }
        RightEdge found = verified;
        for (Hash hash : chosen) {
            found = found.with(hash);
        }
        return found;
    }

    private static boolean isChosen(int choice, int second) {
        return (choice >> second & 1) == 1;
    }

    /** Returns the finding of the first record that is not the leaf of its number. */
    private Finding putIn(int choice) {
        long offset = Long.MAX_VALUE;
        long index = 0;
        for (int i = 0; i < seconds.size(); i++) {
            Second second = seconds.get(i);
            long wrong = isChosen(choice, i) ? leaves.get(second.place).offset : second.leaf.offset;
            index = wrong < offset ? verified.size() + second.place : index;
            offset = Math.min(offset, wrong);
        }
        return new Finding(
                Finding.Kind.INSERTED,
                index,
                index,
                offset,
                "the record was inserted: another one with the number " + index + " leads to the root");
    }
}
