package dev.ebb.wire.read;

import dev.ebb.domain.event.StreamName;

/** A query about one stream. */
public record OfStream(@Parameter("The name of the stream.") StreamName stream) {}
