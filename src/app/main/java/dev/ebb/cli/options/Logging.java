package dev.ebb.cli.options;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import dev.ebb.domain.BuildVersion;
import org.slf4j.LoggerFactory;

/** Form of the log of the application; no other command has one. */
public final class Logging {

    private Logging() {}

    /**
     * Sets the form of the application's log: {@code text} as in the settings file, or {@code json}, one object a line,
     * with the field names of the Elastic Common Schema.
     *
     * @param instance the name of this instance, which each object has; empty if it has none
     */
    public static void format(String format, String instance) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            format(format, instance, context);
        }
    }

    static void format(String format, String instance, LoggerContext context) {
        if (format.equals("json")) {
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)
                    .iteratorForAppenders()
                    .forEachRemaining(appender -> {
                        if (appender instanceof OutputStreamAppender<ILoggingEvent> stream) {
                            encode(stream, context, instance);
                        }
                    });
        }
    }

    private static void encode(OutputStreamAppender<ILoggingEvent> appender, LoggerContext context, String instance) {
        EcsLines lines = new EcsLines();
        lines.setContext(context);
        lines.setServiceName("ebb");
        lines.setServiceVersion(BuildVersion.text());
        if (!instance.isEmpty()) {
            lines.setServiceNodeName(instance);
        }
        lines.start();
        appender.setEncoder(lines);
    }
}
