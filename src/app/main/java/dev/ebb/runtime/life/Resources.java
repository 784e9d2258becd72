package dev.ebb.runtime.life;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resources to be closed at the end, the last one first. Thread-safe. */
public final class Resources implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Resources.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    public synchronized <T extends AutoCloseable> T add(T resource) {
        open.push(resource);
        return resource;
    }

    /** Closes all resources; a failure does not keep the others open. */
    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            AutoCloseable resource = open.pop();
            try {
                resource.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                LOG.atWarn().setCause(e).addKeyValue("resource", resource).log("cannot be closed");
            }
        }
    }
}
