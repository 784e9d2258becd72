package dev.ebb.cli.options;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import org.slf4j.LoggerFactory;

/**
 * Amount and form of the log. A command speaks for itself; only the application has a log, as its file of settings
 * says.
 */
public final class Logging {

    /** Property that {@code logback.xml} reads. */
    private static final String LEVEL = "ebb.log";

    private Logging() {}

    /**
     * For all commands but the application itself: nothing, or with {@code --debug} warnings. Only says so: the library is
     * set up with its first logger, which most commands never make.
     */
    public static void quiet(boolean isDebug) {
        System.setProperty(LEVEL, isDebug ? "WARN" : "OFF");
    }

    /**
     * Sets the form of the application's log: {@code text} as the file of settings says, or {@code json}, one object a
     * line, with the field names of Logback's encoder.
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
