package dev.ebb.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/** How much is logged. A command speaks for itself; only the application has a log. */
final class Logging {

    private Logging() {}

    /** For commands: nothing, or with {@code --debug} warnings. */
    static void quiet(boolean isDebug) {
        ThresholdFilter threshold = new ThresholdFilter();
        threshold.setLevel((isDebug ? Level.WARN : Level.OFF).toString());
        threshold.start();
        // Not the level of the root, which loggers that have one of their own do not ask.
        appenders().forEach(appender -> appender.addFilter(threshold));
    }

    /** For the application. */
    static void verbose() {
        appenders().forEach(Appender::clearAllFilters);
    }

    private static List<Appender<ILoggingEvent>> appenders() {
        List<Appender<ILoggingEvent>> appenders = new ArrayList<>();
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME))
                .iteratorForAppenders()
                .forEachRemaining(appenders::add);
        return appenders;
    }
}
