package dev.ebb.topology;

import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorNode;

/**
 * Lets a processor send records while its caches are written for a commit. Kafka Streams lets caches of its own do so, by
 * naming the node whose cache it is; without a node it refuses to forward. Stateless.
 */
final class CommitScope {

    private CommitScope() {}

    /**
     * Makes the action run as if the node that is running now were running then.
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
