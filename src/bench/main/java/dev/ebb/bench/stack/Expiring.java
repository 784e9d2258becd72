package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.VoidRunException;

/** An application that runs alone on a lane, takes events in and lets them expire. */
public interface Expiring extends AutoCloseable {

    Application application();

    /** The events that have expired. */
    Expirations expirations();

    /** Waits until all of the input up to these offsets is stored and committed. */
    void take(long[] lastOffsets) throws InterruptedException;

    /** Waits until all that was sent so far is committed. */
    void awaitCommitted() throws InterruptedException;

    /** @throws VoidRunException if it holds something else */
    void requireContents(Contents expected);

    /** Stops it and deletes its state. */
    @Override
    void close();
}
