package dev.ebb.sink;

import org.apache.kafka.connect.errors.ConnectException;

/** A table that is not there, or that a sink cannot write. */
final class SinkTableException extends ConnectException {

    private static final long serialVersionUID = 1L;

    SinkTableException(String message) {
        super(message);
    }
}
