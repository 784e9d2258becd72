package dev.ebb.cli.client;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;

/**
 * Closes a connection after a time, whatever waits for it then: sending has no other limit, and an answer may trickle
 * in.
 */
final class Deadline implements AutoCloseable {

    private final Socket socket;
    private final Duration limit;
    private final Thread watch;
    private volatile boolean hasPassed;

    private Deadline(Socket socket, Duration limit) {
        this.socket = socket;
        this.limit = limit;
        this.watch = new Thread(this::watch, "ebb-deadline");
    }

    /** Begins the time, which runs until {@link #close()}. */
    static Deadline of(Socket socket, Duration limit) {
        Deadline deadline = new Deadline(socket, limit);
        deadline.watch.setDaemon(true);
        deadline.watch.start();
        return deadline;
    }

    private void watch() {
        try {
            Thread.sleep(limit.toMillis());
            hasPassed = true;
            socket.close();
        } catch (InterruptedException | IOException e) {
            // Everything was done in time, or the connection is gone anyway.
        }
    }

    /** Returns true if this deadline has closed the connection. */
    boolean hasPassed() {
        return hasPassed;
    }

    @Override
    public void close() {
        watch.interrupt();
    }
}
