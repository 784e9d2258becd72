package dev.ebb.store.state;

import dev.ebb.domain.retention.RetentionDecider;
import org.jspecify.annotations.Nullable;

/**
 * The executions of one stream by number, so that the lowest one with something due, or that is open, is found without a
 * look at the others: a search tree in which each node knows what lies below it. A number decides where its node stands,
 * so the tree is as deep as a random one. Not thread-safe.
 */
final class ExecutionIndex {

    /** Holds events that caps may take. */
    static final int ELIGIBLE = 1;

    /** Is not terminal. */
    static final int OPEN = 1 << 1;

    private @Nullable Node root;

    /** Puts the segment there as it is now, whether or not it was there before. */
    void put(Segment segment, long dueMs) {
        root = put(root, segment, dueMs);
    }

    void remove(Segment segment) {
        root = remove(root, segment.number());
    }

    /** When the first of them falls due; {@link RetentionDecider#NEVER} if none ever does. */
    long firstDueMs() {
        return firstDueMs(root);
    }

    /** When the execution of that number falls due. */
    long dueMs(long number) {
        Node node = root;
        while (node != null && node.segment.number() != number) {
            node = number < node.segment.number() ? node.left : node.right;
        }
        return node == null ? RetentionDecider.NEVER : node.dueMs;
    }

    /** The lowest one that is due at that time; null if there is none. */
    @Nullable
    Segment due(long nowMs) {
        Node node = root;
        while (node != null && RetentionDecider.isPast(node.firstDueMs, nowMs)) {
            if (RetentionDecider.isPast(firstDueMs(node.left), nowMs)) {
                node = node.left;
            } else if (RetentionDecider.isPast(node.dueMs, nowMs)) {
                return node.segment;
            } else {
                node = node.right;
            }
        }
        return null;
    }

    /** The lowest one from that number on that has the trait; null if there is none. */
    @Nullable
    Segment next(int trait, long from) {
        return next(root, trait, from);
    }

    private static @Nullable Segment next(@Nullable Node node, int trait, long from) {
        if (node == null || (node.traitsBelow & trait) == 0) {
            return null;
        }
        Segment lower = from < node.segment.number() ? next(node.left, trait, from) : null;
        if (lower != null) {
            return lower;
        }
        boolean isOne = from <= node.segment.number() && (node.traits & trait) != 0;
        return isOne ? node.segment : next(node.right, trait, from);
    }

    private static long firstDueMs(@Nullable Node node) {
        return node == null ? RetentionDecider.NEVER : node.firstDueMs;
    }

    private static Node put(@Nullable Node node, Segment segment, long dueMs) {
        if (node == null) {
            return new Node(segment, dueMs);
        }
        Node top = node;
        if (segment.number() < node.segment.number()) {
            Node lower = put(node.left, segment, dueMs);
            node.left = lower;
            top = lower.priority > node.priority ? raiseLeft(node, lower) : node;
        } else if (segment.number() > node.segment.number()) {
            Node higher = put(node.right, segment, dueMs);
            node.right = higher;
            top = higher.priority > node.priority ? raiseRight(node, higher) : node;
        } else {
            node.set(dueMs);
        }
        top.sum();
        return top;
    }

    private static Node raiseLeft(Node node, Node lower) {
        node.left = lower.right;
        lower.right = node;
        node.sum();
        return lower;
    }

    private static Node raiseRight(Node node, Node higher) {
        node.right = higher.left;
        higher.left = node;
        node.sum();
        return higher;
    }

    private static @Nullable Node remove(@Nullable Node node, long number) {
        if (node == null) {
            return null;
        }
        if (number == node.segment.number()) {
            return joined(node.left, node.right);
        }
        if (number < node.segment.number()) {
            node.left = remove(node.left, number);
        } else {
            node.right = remove(node.right, number);
        }
        node.sum();
        return node;
    }

    private static @Nullable Node joined(@Nullable Node lower, @Nullable Node higher) {
        if (lower == null || higher == null) {
            return lower == null ? higher : lower;
        }
        Node top = lower.priority > higher.priority ? lower : higher;
        if (top == lower) {
            lower.right = joined(lower.right, higher);
        } else {
            higher.left = joined(lower, higher.left);
        }
        top.sum();
        return top;
    }

    private static final class Node {

        final Segment segment;
        final long priority;

        @Nullable
        Node left;

        @Nullable
        Node right;

        long dueMs;
        long firstDueMs;
        int traits;
        int traitsBelow;

        Node(Segment segment, long dueMs) {
            this.segment = segment;
            this.priority = mixed(segment.number());
            set(dueMs);
            sum();
        }

        void set(long newDueMs) {
            dueMs = newDueMs;
            traits = (segment.eligibleEvents() > 0 ? ELIGIBLE : 0)
                    | (segment.execution().isTerminal() ? 0 : OPEN);
        }

        void sum() {
            firstDueMs = Math.min(dueMs, Math.min(firstDueMs(left), firstDueMs(right)));
            traitsBelow = traits | (left == null ? 0 : left.traitsBelow) | (right == null ? 0 : right.traitsBelow);
        }

        /** Neighbours get priorities that have nothing to do with each other. */
        private static long mixed(long number) {
            long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            return mixed ^ (mixed >>> 31);
        }
    }
}
