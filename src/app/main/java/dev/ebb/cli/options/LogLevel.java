package dev.ebb.cli.options;

/** Level of the log. Separate from {@link Logging}, whose library classes no short command should load. */
public final class LogLevel {

    /** Property that {@code logback.xml} reads. */
    private static final String PROPERTY = "ebb.log";

    private LogLevel() {}

    /**
     * Silences the log of all commands but the application itself, since their output is enough; with {@code --debug}
     * it keeps warnings. Only sets a property: the library reads it with its first logger, which most commands never
     * make.
     */
    public static void quiet(boolean isDebug) {
        System.setProperty(PROPERTY, isDebug ? "WARN" : "OFF");
    }
}
