package dev.ebb.sink;

import java.util.Objects;

/** The version that Connect shows for the plugin: that of the jar. */
final class SinkVersion {

    static final String TEXT =
            Objects.requireNonNullElse(SinkVersion.class.getPackage().getImplementationVersion(), "unknown");

    private SinkVersion() {}
}
