package dev.ebb.cli.options;

/** Amount of the log. Apart from its form, which needs classes of the library that no short command loads. */
public final class LogLevel {

    /** Property that {@code logback.xml} reads. */
    private static final String PROPERTY = "ebb.log";

    private LogLevel() {}

    /**
     * For all commands but the application itself, since they speak for themselves: nothing, or with {@code --debug} warnings.
     * Only says so: the library is set up with its first logger, which most commands never make.
     */
    public static void quiet(boolean isDebug) {
        System.setProperty(PROPERTY, isDebug ? "WARN" : "OFF");
    }
}
