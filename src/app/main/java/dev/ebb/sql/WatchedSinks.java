package dev.ebb.sql;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sinks of one mirror, once it is known which sink the worker has: at once where the settings name it, else when
 * Connect has answered. Thread-safe.
 */
final class WatchedSinks {

    private final MirrorSettings settings;
    private final ConnectAccess connect;
    private @Nullable SinkChoice choice;
    private volatile @Nullable SinkWatch watch;
    private volatile List<ConnectorStatus> unknown;

    /** @throws SqlMirrorException if the files of the connectors cannot be used */
    WatchedSinks(MirrorSettings settings, ConnectAccess connect) {
        this.settings = settings;
        this.connect = connect;
        boolean isNamed = !settings.sink().equals(SinkChoice.AUTO)
                || settings.connectorFolder().isPresent();
        SinkChoice named = SinkChoice.named(settings.sink());
        // The names are those of any sink.
        this.unknown = SinkWatch.connectors(settings, named).stream()
                .map(connector -> ConnectorStatus.unasked(connector.name()))
                .toList();
        if (isNamed) {
            choice = named;
            watch = SinkWatch.of(settings, connect, named);
        }
    }

    /** Returns the statuses at the last look. */
    List<ConnectorStatus> statuses() {
        return known().map(sinks -> sinks.supervisor().statuses()).orElse(unknown);
    }

    /** Returns the parts that look after the sinks; empty until it is known which sinks there are. */
    Optional<SinkWatch> known() {
        return Optional.ofNullable(watch);
    }

    /**
     * Returns the parts that look after the sinks.
     *
     * @throws SqlMirrorException if it is not known yet which sinks there are; the message says why
     */
    synchronized SinkWatch watch() {
        SinkWatch known = watch;
        if (known == null) {
            known = SinkWatch.of(settings, connect, choice());
            watch = known;
        }
        return known;
    }

    /**
     * Returns the sink that the connectors use.
     *
     * @throws SqlMirrorException if Connect is away, or has no sink that would do
     */
    synchronized SinkChoice choice() {
        SinkChoice known = choice;
        if (known == null) {
            try {
                known = SinkChoice.by(new ConnectClient(connect), settings.isJsonSent());
            } catch (IOException e) {
                throw failed(ConnectorStatus.UNREACHABLE, new SqlMirrorException(String.valueOf(e.getMessage()), e));
            } catch (SqlMirrorException e) {
                throw failed(ConnectorStatus.MISSING, e);
            }
            choice = known;
        }
        return known;
    }

    private SqlMirrorException failed(String state, SqlMirrorException e) {
        unknown = unknown.stream()
                .map(status ->
                        new ConnectorStatus(status.name(), state, List.of(), Optional.ofNullable(e.getMessage()), 0))
                .toList();
        return e;
    }

    /** Closes what was opened; the sinks keep running in Connect. */
    void close() {
        known().ifPresent(sinks -> sinks.lag().close());
    }
}
