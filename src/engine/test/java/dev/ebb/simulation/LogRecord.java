package dev.ebb.simulation;

import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/** A record of a changelog. */
record LogRecord(byte[] key, byte @Nullable [] value, Headers headers) {

    KeyValue<byte[], byte[]> pair() {
        return KeyValue.pair(key, value);
    }
}
