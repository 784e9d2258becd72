package dev.ebb.runtime.kafka;

/**
 * Target for one setting of a topic.
 *
 * @param key the name that Kafka gives it
 * @param value value for a new topic
 * @param need when another value is wrong
 */
record TopicSetting(String key, String value, Need need) {

    /** When a value that differs keeps the application from starting. */
    enum Need {
        /** Whenever it differs. */
        EXACTLY,
        /** Wrong if it is less. */
        AT_LEAST,
        /** Wrong if it is more. */
        AT_MOST,
        /** Never, and it is never changed: what is on a topic that was made otherwise could not bear it. */
        WHEN_MADE,
        /** Never: an operator wanted the value when the settings were written, and no promise depends on it. */
        ADVISED
    }

    /** Returns true if a topic with this value breaks a promise. */
    boolean isBrokenBy(String actual) {
        return switch (need) {
            case EXACTLY -> !actual.equals(value);
            case AT_LEAST -> Long.parseLong(actual) < Long.parseLong(value);
            case AT_MOST -> Long.parseLong(actual) > Long.parseLong(value);
            case WHEN_MADE, ADVISED -> false;
        };
    }
}
