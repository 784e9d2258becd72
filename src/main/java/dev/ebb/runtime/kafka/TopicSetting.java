package dev.ebb.runtime.kafka;

/**
 * What one setting of a topic should be.
 *
 * @param key the name that Kafka gives it
 * @param value what a new topic gets
 * @param need when another value is wrong
 */
record TopicSetting(String key, String value, Need need) {

    /** When a value that differs keeps the application from starting. */
    enum Need {
        /** Whenever it differs. */
        EXACTLY,
        /** If it is less. */
        AT_LEAST,
        /** If it is more. */
        AT_MOST,
        /** Never: it is what the operator wanted when the settings were written, and no promise depends on it. */
        ADVISED
    }

    /** Whether a topic with this value breaks a promise. */
    boolean isBrokenBy(String actual) {
        return switch (need) {
            case EXACTLY -> !actual.equals(value);
            case AT_LEAST -> Long.parseLong(actual) < Long.parseLong(value);
            case AT_MOST -> Long.parseLong(actual) > Long.parseLong(value);
            case ADVISED -> false;
        };
    }
}
