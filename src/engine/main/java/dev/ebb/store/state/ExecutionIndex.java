package dev.ebb.store.state;

import dev.ebb.domain.retention.RetentionDecider;
import org.jspecify.annotations.Nullable;

/**
 * The executions of one stream by number: a search tree in which each node has a summary of its subtree. It finds the
 * lowest execution that is open, or has something due, without a look at the others. The number of an execution decides
 * where its node lies, so the tree is as deep as a random one. Not thread-safe.
 *
 * @param <E> the entry of an execution
 */
final class ExecutionIndex<E> {

    /** Trait of an execution that holds eligible events. */
    static final int ELIGIBLE = 1;

    /** Trait of an execution that is not terminal. */
    static final int OPEN = 1 << 1;

    private @Nullable Node<E> root;

    /**
     * Puts the execution into the index, whether or not it was there before.
     *
     * @param dueMs the time at which the execution falls due, epoch milliseconds; {@link RetentionDecider#NEVER} if it
     *     never does
     * @param traits {@link #ELIGIBLE} and {@link #OPEN}, as far as they apply
     */
    void put(long number, E entry, long dueMs, int traits) {
        root = put(root, new Node<>(number, entry, dueMs, traits));
    }

    void remove(long number) {
        root = remove(root, number);
    }

    /**
     * Returns the time at which the first execution falls due, epoch milliseconds; {@link RetentionDecider#NEVER} if
     * none ever does.
     */
    long firstDueMs() {
        return firstDueMs(root);
    }

    /** Returns the time at which the execution with this number falls due. */
    long dueMs(long number) {
        Node<E> node = root;
        while (node != null && node.number != number) {
            node = number < node.number ? node.left : node.right;
        }
        return node == null ? RetentionDecider.NEVER : node.dueMs;
    }

    /** Returns the lowest execution that is due at {@code nowMs}; null if there is none. */
    @Nullable
    E due(long nowMs) {
        Node<E> node = root;
        while (node != null && RetentionDecider.isPast(node.firstDueMs, nowMs)) {
            if (RetentionDecider.isPast(firstDueMs(node.left), nowMs)) {
                node = node.left;
            } else if (RetentionDecider.isPast(node.dueMs, nowMs)) {
                return node.entry;
            } else {
                node = node.right;
            }
        }
        return null;
    }

    /** Returns the lowest execution from this number on that has the trait; null if there is none. */
    @Nullable
    E next(int trait, long from) {
        return next(root, trait, from);
    }

    private static <E> @Nullable E next(@Nullable Node<E> node, int trait, long from) {
        if (node == null || (node.traitsBelow & trait) == 0) {
            return null;
        }
        E lower = from < node.number ? next(node.left, trait, from) : null;
        if (lower != null) {
            return lower;
        }
        boolean isOne = from <= node.number && (node.traits & trait) != 0;
        return isOne ? node.entry : next(node.right, trait, from);
    }

    private static long firstDueMs(@Nullable Node<?> node) {
        return node == null ? RetentionDecider.NEVER : node.firstDueMs;
    }

    private static <E> Node<E> put(@Nullable Node<E> node, Node<E> added) {
        if (node == null) {
            return added;
        }
        Node<E> top = node;
        if (added.number < node.number) {
            Node<E> lower = put(node.left, added);
            node.left = lower;
            top = lower.priority > node.priority ? raiseLeft(node, lower) : node;
        } else if (added.number > node.number) {
            Node<E> higher = put(node.right, added);
            node.right = higher;
            top = higher.priority > node.priority ? raiseRight(node, higher) : node;
        } else {
            node.take(added);
        }
        top.sum();
        return top;
    }

    private static <E> Node<E> raiseLeft(Node<E> node, Node<E> lower) {
        node.left = lower.right;
        lower.right = node;
        node.sum();
        return lower;
    }

    private static <E> Node<E> raiseRight(Node<E> node, Node<E> higher) {
        node.right = higher.left;
        higher.left = node;
        node.sum();
        return higher;
    }

    private static <E> @Nullable Node<E> remove(@Nullable Node<E> node, long number) {
        if (node == null) {
            return null;
        }
        if (number == node.number) {
            return joined(node.left, node.right);
        }
        if (number < node.number) {
            node.left = remove(node.left, number);
        } else {
            node.right = remove(node.right, number);
        }
        node.sum();
        return node;
    }

    private static <E> @Nullable Node<E> joined(@Nullable Node<E> lower, @Nullable Node<E> higher) {
        if (lower == null || higher == null) {
            return lower == null ? higher : lower;
        }
        Node<E> top = lower.priority > higher.priority ? lower : higher;
        if (top == lower) {
            lower.right = joined(lower.right, higher);
        } else {
            higher.left = joined(lower, higher.left);
        }
        top.sum();
        return top;
    }

    private static final class Node<E> {

        final long number;
        final long priority;
        E entry;

        @Nullable
        Node<E> left;

        @Nullable
        Node<E> right;

        long dueMs;
        long firstDueMs;
        int traits;
        int traitsBelow;

        Node(long number, E entry, long dueMs, int traits) {
            this.number = number;
            this.priority = mixed(number);
            this.entry = entry;
            this.dueMs = dueMs;
            this.traits = traits;
            sum();
        }

        /** Takes the entry, due time and traits of the other node, but keeps its own place in the tree. */
        void take(Node<E> other) {
            entry = other.entry;
            dueMs = other.dueMs;
            traits = other.traits;
        }

        void sum() {
            firstDueMs = Math.min(dueMs, Math.min(firstDueMs(left), firstDueMs(right)));
            traitsBelow = traits | (left == null ? 0 : left.traitsBelow) | (right == null ? 0 : right.traitsBelow);
        }

        /** Mixes the bits of the number, so that the priorities of neighbours are unrelated. */
        private static long mixed(long number) {
            long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            return mixed ^ (mixed >>> 31);
        }
    }
}
