package dev.ebb.cli.options;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import org.slf4j.LoggerFactory;

/** Form of the log of the application; no other command has one. */
public final class Logging {

    private Logging() {}

    /**
     * Sets the form of the application's log: {@code text} as in the settings file, or {@code json}, one object a line,
     * with the field names of Logback's encoder.
     */
    public static void format(String format) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            format(format, context);
        }
    }

    static void format(String format, LoggerContext context) {
        if (format.equals("json")) {
            context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)
                    .iteratorForAppenders()
                    .forEachRemaining(appender -> {
                        if (appender instanceof OutputStreamAppender<ILoggingEvent> stream) {
                            encode(stream, context);
                        }
                    });
        }
    }

    private static void encode(OutputStreamAppender<ILoggingEvent> appender, LoggerContext context) {
        JsonEncoder json = new JsonEncoder();
        json.setContext(context);
        json.setWithSequenceNumber(false);
        json.setWithNanoseconds(false);
        json.setWithContext(false);
        json.setWithMDC(false);
        json.setWithArguments(false);
        json.setWithMessage(false);
        json.setWithFormattedMessage(true);
        json.start();
        appender.setEncoder(json);
    }
}
