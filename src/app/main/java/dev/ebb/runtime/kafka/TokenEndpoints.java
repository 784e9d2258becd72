package dev.ebb.runtime.kafka;

import dev.ebb.config.EbbConfig;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Addresses from which Kafka's clients may get tokens. Kafka asks for a list of them as a property of the JVM, since
 * elsewhere, in a Connect worker for instance, foreign settings could name any address. Only the operator's own settings
 * reach the clients of Ebb, so an address in them needs no second mention.
 */
final class TokenEndpoints {

    private static final String PROPERTY = "org.apache.kafka.sasl.oauthbearer.allowed.urls";
    private static final String SETTING = "sasl.oauthbearer.token.endpoint.url";

    private TokenEndpoints() {}

    /** Allows the address of the settings, beside those that the JVM's property names. */
    static synchronized void allow(EbbConfig config) {
        String address = config.kafkaProperties().getOrDefault(SETTING, "");
        if (!address.isEmpty()) {
            Set<String> allowed = new LinkedHashSet<>();
            Stream.of(System.getProperty(PROPERTY, "").split(","))
                    .map(String::strip)
                    .filter(text -> !text.isEmpty())
                    .forEach(allowed::add);
            allowed.add(address);
            System.setProperty(PROPERTY, String.join(",", allowed));
        }
    }
}
