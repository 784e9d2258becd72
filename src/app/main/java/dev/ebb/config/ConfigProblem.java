package dev.ebb.config;

/**
 * One fault of the configuration.
 *
 * @param key the key as it was written
 * @param value the value, hidden if it may be a secret
 * @param fault the fault, as the end of a sentence that begins with the key
 * @param source the source of the value: a file, an environment variable or a flag
 */
record ConfigProblem(String key, String value, String fault, String source) {

    @Override
    public String toString() {
        return key + (value.isEmpty() ? "" : "=" + value) + ": " + fault + " (from " + source + ")";
    }
}
