package dev.ebb.cli.options;

import ch.qos.logback.classic.spi.ILoggingEvent;
import co.elastic.logging.JsonUtils;
import co.elastic.logging.logback.EcsEncoder;
import java.util.List;
import org.slf4j.event.KeyValuePair;

/**
 * One JSON object a line with the field names of the Elastic Common Schema. The facts of a message are its
 * {@code labels}, all of them text, as the schema asks.
 */
final class EcsLines extends EcsEncoder {

    @Override
    protected void addCustomFields(ILoggingEvent event, StringBuilder line) {
        List<KeyValuePair> facts = event.getKeyValuePairs();
        if (facts == null || facts.isEmpty()) {
            return;
        }
        line.append("\"labels\":{");
        String separator = "";
        for (KeyValuePair fact : facts) {
            line.append(separator).append('"');
            // A dot would be a level of its own to those who read the schema.
            JsonUtils.quoteAsString(fact.key.replace('.', '_'), line);
            line.append("\":\"");
            JsonUtils.quoteAsString(String.valueOf(fact.value), line);
            line.append('"');
            separator = ",";
        }
        line.append("},");
    }
}
