package dev.ebb.sink;

import org.apache.kafka.connect.errors.ConnectException;

/** Thrown when a table does not exist, or a sink cannot write it. */
final class SinkTableException extends ConnectException {

    private static final long serialVersionUID = 1L;

    SinkTableException(String message) {
        super(message);
    }
}
