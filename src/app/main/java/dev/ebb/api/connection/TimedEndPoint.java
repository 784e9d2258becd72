package dev.ebb.api.connection;

import dev.ebb.api.connection.ApiLimits.Connections;
import io.javalin.http.Context;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A connection that knows what it waits for, and is closed when the wait takes too long: a sender or reader that shows
 * a sign of life every few seconds is never silent, and would stay for ever. Thread-safe.
 */
public final class TimedEndPoint extends SocketChannelEndPoint implements ConnectionCrowd.Member {

    private final ConnectionCrowd crowd;
    private final Connections limits;
    private final Scheduler scheduler;
    private final SocketAddress remote;
    private Scheduler.@Nullable Task end;
    private boolean isClosed;
    private volatile boolean isBusy;
    private long exchangeEndNanos;

    TimedEndPoint(
            SocketChannel channel,
            ManagedSelector selector,
            SelectionKey key,
            Scheduler scheduler,
            ConnectionCrowd crowd,
            Connections limits) {
        super(channel, selector, key, scheduler);
        this.scheduler = scheduler;
        this.crowd = crowd;
        this.limits = limits;
        this.remote = getRemoteSocketAddress();
        setIdleTimeout(limits.idle().toMillis());
    }

    /** Returns the connection of the request. */
    public static TimedEndPoint of(Context ctx) {
        return of(ServletContextRequest.getServletContextRequest(ctx.req()));
    }

    /** Returns the connection of the request. */
    static TimedEndPoint of(Request request) {
        EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        while (endPoint instanceof EndPoint.Wrapper wrapper) {
            endPoint = wrapper.unwrap();
        }
        return (TimedEndPoint) endPoint;
    }

    /** Returns true if there is room for the connection, which must be closed if not. */
    boolean enter() {
        return crowd.enter(remote, this);
    }

    @Override
    public void onOpen() {
        super.onOpen();
        endIn(limits.headers());
    }

    /** Notes that a request has arrived with all its headers. Whether the server lets it in is not decided yet. */
    void begin() {
        isBusy = true;
        endIn(limits.headers());
    }

    /** Begins the time for the whole request, which the server has let in. */
    public void letIn() {
        exchangeEndNanos = System.nanoTime() + limits.exchange().toNanos();
        endIn(limits.exchange());
    }

    /** Begins the time for the body of the request. */
    public void beginBody() {
        Duration left = leftOfExchange();
        endIn(left.compareTo(limits.body()) < 0 ? left : limits.body());
    }

    /** Ends the time for the body. */
    public void endBody() {
        endIn(leftOfExchange());
    }

    /**
     * Notes that the last byte of the answer is sent. The next request may be late, and then as slow as the first one.
     */
    void end() {
        isBusy = false;
        crowd.touch(remote, this);
        endIn(limits.idle().plus(limits.headers()));
    }

    @Override
    public boolean isBusy() {
        return isBusy;
    }

    @Override
    public void makeRoom() {
        close();
    }

    @Override
    public void onClose(@Nullable Throwable cause) {
        synchronized (this) {
            isClosed = true;
            if (end != null) {
                end.cancel();
            }
        }
        crowd.leave(remote, this);
        super.onClose(cause);
    }

    private Duration leftOfExchange() {
        return Duration.ofNanos(Math.max(1, exchangeEndNanos - System.nanoTime()));
    }

    private synchronized void endIn(Duration time) {
        if (end != null) {
            end.cancel();
        }
        if (!isClosed) {
            end = scheduler.schedule(this::close, time.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
