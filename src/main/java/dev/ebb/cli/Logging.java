package dev.ebb.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** How much is logged. A command speaks for itself; only the application has a log. */
final class Logging {

    private Logging() {}

    /** For commands: nothing, or with {@code --debug} warnings. */
    static void quiet(boolean isDebug) {
        root().setLevel(isDebug ? Level.WARN : Level.OFF);
    }

    /** For the application. */
    static void verbose() {
        root().setLevel(Level.INFO);
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }
}
