package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.VoidRunException;

/** An application, alone on a lane, that takes events in and lets them expire. */
public interface Expiring extends AutoCloseable {

    Application application();

    /** Returns the events that have expired. */
    Expirations expirations();

    /** Waits until all input up to these offsets is stored and committed. */
    void take(long[] lastOffsets) throws InterruptedException;

    /** Waits until all records sent so far are committed. */
    void awaitCommitted() throws InterruptedException;

    /** @throws VoidRunException if the application holds other events */
    void requireContents(Contents expected);

    /** Stops the application and deletes its state. */
    @Override
    void close();
}
