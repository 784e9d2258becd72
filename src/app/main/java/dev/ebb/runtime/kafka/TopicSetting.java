package dev.ebb.runtime.kafka;

/**
 * Target for one setting of a topic.
 *
 * @param key Kafka's name of the setting
 * @param value value for a new topic
 * @param need the condition under which another value is wrong
 */
record TopicSetting(String key, String value, Need need) {

    /** The condition under which a different value keeps the application from starting. */
    enum Need {
        /** Wrong if it differs. */
        EXACTLY,
        /** Wrong if it is less. */
        AT_LEAST,
        /** Wrong if it is less, and never lowered: records on the topic were promised for the former time. */
        PROMISED,
        /** Wrong if it is more. */
        AT_MOST,
        /** Never wrong: an operator wanted the value when the settings were written, and no promise depends on it. */
        ADVISED
    }

    /** Returns true if that value is greater than this one, and must stay because of promises. */
    boolean keeps(String actual) {
        if (need != Need.PROMISED || actual.isEmpty()) {
            return false;
        }
        long ms = Long.parseLong(actual);
        return ms < 0 || ms > Long.parseLong(value);
    }

    /** Returns true if a topic with this value breaks a promise. */
    boolean isBrokenBy(String actual) {
        return switch (need) {
            case EXACTLY -> !actual.equals(value);
            case PROMISED -> !keeps(actual) && !actual.equals(value);
            case AT_LEAST -> Long.parseLong(actual) < Long.parseLong(value);
            case AT_MOST -> Long.parseLong(actual) > Long.parseLong(value);
            case ADVISED -> false;
        };
    }
}
