package dev.ebb.cli.options;

/** The shapes of results. */
enum OutputFormat {
    /** Aligned columns for people. */
    TABLE,
    /** For programs, as the REST interface answers it. */
    JSON,
    /** The JSON of the REST interface as YAML. */
    YAML;

    /** Word for the format on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
