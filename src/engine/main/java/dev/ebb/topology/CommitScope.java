package dev.ebb.topology;

import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorNode;

/**
 * Scope in which a processor can send records while its caches are written for a commit. Kafka Streams lets its own
 * caches do so by making the node that owns the cache the current one; without a current node it refuses to forward.
 * Stateless.
 */
final class CommitScope {

    private CommitScope() {}

    /**
     * Returns an action that runs the given one with the node that is current now as the current node.
     *
     * @param context the context of the node
     */
    static Runnable of(ProcessorContext<?, ?> context, Runnable action) {
        if (!(context instanceof InternalProcessorContext<?, ?> inside)) {
            return action;
        }
        ProcessorNode<?, ?, ?, ?> node = inside.currentNode();
        return () -> {
            ProcessorNode<?, ?, ?, ?> running = inside.currentNode();
            inside.setCurrentNode(node);
            try {
                action.run();
            } finally {
                inside.setCurrentNode(running);
            }
        };
    }
}
