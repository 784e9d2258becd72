package dev.ebb.api;

import io.javalin.http.Context;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Ends a request that takes too long, whoever is slow: a sender or a reader that gives a sign of life every few seconds
 * is not silent, and would hold a thread for ever. Thread-safe.
 */
final class ExchangeTimer {

    private final Duration limit;

    ExchangeTimer(Duration limit) {
        this.limit = limit;
    }

    /** Runs {@code onEnd} once, when the last byte of the answer was sent or the connection was given up. */
    void start(Context ctx, Runnable onEnd) {
        Request request = ServletContextRequest.getServletContextRequest(ctx.req());
        EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        Scheduler.Task end = request.getComponents()
                .getScheduler()
                .schedule(endPoint::close, limit.toMillis(), TimeUnit.MILLISECONDS);
        Request.addCompletionListener(request, failure -> {
            end.cancel();
            onEnd.run();
        });
    }
}
