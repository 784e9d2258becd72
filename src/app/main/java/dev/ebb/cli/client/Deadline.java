package dev.ebb.cli.client;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;

/** Closes a connection after a time, whatever waits for it then: sending has no other limit, and answers may trickle. */
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

    /** Begins now, and holds until {@link #close()}. */
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
            // All was done in time, or the connection is gone anyway.
        }
    }

    /** Returns true if it is the reason why the connection is closed. */
    boolean hasPassed() {
        return hasPassed;
    }

    @Override
    public void close() {
        watch.interrupt();
    }
}
