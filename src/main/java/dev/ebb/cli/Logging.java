package dev.ebb.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/** How much is logged. A command speaks for itself; only the application has a log, as its file of settings says. */
final class Logging {

    private Logging() {}

    /** For all commands but the application itself: nothing, or with {@code --debug} warnings. */
    static void quiet(boolean isDebug) {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        if (factory instanceof LoggerContext context) {
            context.getLoggerList().forEach(Logging::inherit);
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(isDebug ? Level.WARN : Level.OFF);
        }
    }

    private static void inherit(Logger logger) {
        if (!logger.getName().equals(org.slf4j.Logger.ROOT_LOGGER_NAME)) {
            logger.setLevel(null);
        }
    }
}
