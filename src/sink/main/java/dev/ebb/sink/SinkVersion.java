package dev.ebb.sink;

import java.util.Objects;

/** The version of the plugin in Connect: that of the jar. */
final class SinkVersion {

    static final String TEXT =
            Objects.requireNonNullElse(SinkVersion.class.getPackage().getImplementationVersion(), "unknown");

    private SinkVersion() {}
}
