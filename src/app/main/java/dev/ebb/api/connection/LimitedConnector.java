package dev.ebb.api.connection;

import dev.ebb.api.connection.ApiLimits.Connections;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Connector that limits the number of connections and the time that each of them may take. */
public final class LimitedConnector extends ServerConnector {

    private final Connections limits;
    private final ConnectionCrowd crowd;

    /** @param http the configuration to which the timing of requests is added */
    public LimitedConnector(Server server, HttpConfiguration http, Connections limits, ConnectionFactory... factories) {
        super(server, factories);
        this.limits = limits;
        this.crowd = new ConnectionCrowd(limits.all(), limits.ofOne());
        setIdleTimeout(limits.idle().toMillis());
        http.addCustomizer(LimitedConnector::timed);
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key)
            throws IOException {
        TimedEndPoint endPoint = new TimedEndPoint(channel, selector, key, getScheduler(), crowd, limits);
        if (!endPoint.enter()) {
            throw new IOException("there are too many connections");
        }
        return endPoint;
    }

    private static Request timed(Request request, HttpFields.Mutable responseHeaders) {
        TimedEndPoint endPoint = TimedEndPoint.of(request);
        endPoint.begin();
        Request.addCompletionListener(request, failure -> endPoint.end());
        return request;
    }
}
