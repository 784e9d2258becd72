package dev.ebb.cli.options;

/** The forms of results. */
enum OutputFormat {
    /** Aligned columns for people. */
    TABLE,
    /** For programs, in the form of the REST interface. */
    JSON,
    /** The JSON of the REST interface as YAML. */
    YAML;

    /** Returns the name of the format on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
