package dev.ebb.serde.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.ebb.domain.Unicode;
import dev.ebb.serde.text.CompactJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * CloudEvents 1.0 on Kafka: one JSON object in structured mode; in binary mode, headers that begin with {@code ce_},
 * and the content as the value. Stateless.
 */
public final class CloudEvents {

    private static final String VERSION = "specversion";
    private static final String DATA = "data";
    private static final String DATA_BASE64 = "data_base64";
    private static final String PREFIX = "ce_";
    private static final String CONTENT_TYPE = "content-type";
    private static final String MEDIA_TYPE = "application/cloudevents";
    private static final String BATCH_TYPE = MEDIA_TYPE + "-batch";
    private static final String JSON_TYPE = "application/json";
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+");
    private static final byte[] NOTHING = new byte[0];

    private CloudEvents() {}

    /**
     * Returns true if the headers are those of an event in binary mode; so are all others that an event must have, without
     * the version. Its id, under which it counts once, must not be lost.
     */
    public static boolean isBinary(Headers headers) {
        boolean isEvent =
                has(headers, VERSION) || (has(headers, "id") && has(headers, "source") && has(headers, "type"));
        return isEvent && !hasMediaType(headers);
    }

    private static boolean has(Headers headers, String attribute) {
        return headers.lastHeader(PREFIX + attribute) != null;
    }

    /**
     * Returns true if the headers are those of several events in one record, which the Kafka binding does not allow.
     */
    public static boolean isBatch(Headers headers) {
        return mediaType(headers).startsWith(BATCH_TYPE);
    }

    /**
     * Returns the event of a record in binary mode.
     *
     * @param value the content; null for none
     * @throws UnreadableJsonException if an attribute is wrong
     */
    public static GenericRecord binary(Headers headers, byte @Nullable [] value) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (Header header : headers) {
            if (header.key().startsWith(PREFIX) && header.value() != null) {
                String name = header.key().substring(PREFIX.length());
                if (attributes.put(checked(name), text(name, header.value())) != null) {
                    throw UnreadableJsonException.namedTwice(name);
                }
            }
        }
        Header type = headers.lastHeader(CONTENT_TYPE);
        String contentType = type == null || type.value() == null ? null : text(CONTENT_TYPE, type.value());
        return new CloudEvent(attributes, contentType, value == null ? NOTHING : value).record();
    }

    /**
     * Returns true if the object is an event in structured mode, according to its media type, or else to its version.
     */
    static boolean isStructured(Headers headers, String json) {
        return hasMediaType(headers) || (json.contains("\"" + VERSION + "\"") && namesVersion(json));
    }

    private static boolean hasMediaType(Headers headers) {
        return mediaType(headers).startsWith(MEDIA_TYPE);
    }

    /** Returns the media type in lower case; empty if there is none. */
    private static String mediaType(Headers headers) {
        Header type = headers.lastHeader(CONTENT_TYPE);
        return type == null || type.value() == null
                ? ""
                : new String(type.value(), StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
    }

    /** Returns true if the object itself, not its payload, has a version. */
    private static boolean namesVersion(String json) {
        try (JsonParser parser = TopicJson.FACTORY.createParser(json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                if (parser.currentName().equals(VERSION)) {
                    return true;
                }
                parser.nextToken();
                parser.skipChildren();
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    /** @throws UnreadableJsonException if the text is not a CloudEvent in JSON */
    static GenericRecord structured(String json) {
        return TopicJson.read(TopicJson.FACTORY, json, CloudEvents::structured);
    }

    private static GenericRecord structured(JsonParser parser) throws IOException {
        parser.nextToken();
        Map<String, String> attributes = new LinkedHashMap<>();
        String data = null;
        String text = null;
        byte[] bytes = null;
        Set<String> named = new HashSet<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            if (!named.add(name)) {
                throw UnreadableJsonException.namedTwice(name);
            }
            JsonToken token = parser.nextToken();
            if (token == JsonToken.VALUE_NULL) {
                continue;
            }
            if (name.equals(DATA)) {
                text = token == JsonToken.VALUE_STRING ? parser.getText() : null;
                data = CompactJson.copy(parser);
            } else if (name.equals(DATA_BASE64)) {
                bytes = base64(parser);
            } else {
                attributes.put(checked(name), attribute(name, parser));
            }
        }
        if (parser.nextToken() != null) {
            throw new UnreadableJsonException("there is more than one JSON object");
        }
        if (data != null && bytes != null) {
            throw new UnreadableJsonException("it has both data and data_base64");
        }
        String given = attributes.remove("datacontenttype");
        String contentType = given == null && data != null ? JSON_TYPE : given;
        // A text is the content itself, unless the type of the content is JSON: then the text with its quotes is.
        boolean isText = text != null && !isJson(contentType);
        byte[] content = bytes != null ? bytes : utf8(isText ? text : data);
        return new CloudEvent(attributes, contentType, content).record();
    }

    private static boolean isJson(@Nullable String contentType) {
        String mediaType = contentType == null
                ? JSON_TYPE
                : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return mediaType.equals(JSON_TYPE) || mediaType.endsWith("+json");
    }

    private static byte[] utf8(@Nullable String text) {
        return text == null ? NOTHING : text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] base64(JsonParser parser) throws IOException {
        try {
            return Base64.getDecoder().decode(parser.getText());
        } catch (IllegalArgumentException e) {
            throw new UnreadableJsonException(DATA_BASE64 + " must be Base64: " + e.getMessage());
        }
    }

    private static String attribute(String name, JsonParser parser) throws IOException {
        if (!parser.currentToken().isScalarValue()) {
            throw new UnreadableJsonException(name + " must be a text, a number, true or false");
        }
        return valid(name, parser.getText());
    }

    private static String text(String name, byte[] value) {
        return Unicode.decode(value, 0, value.length)
                .orElseThrow(() -> new UnreadableJsonException("the header of " + name + " is not valid UTF-8"));
    }

    private static String valid(String name, String text) {
        if (!Unicode.isValid(text)) {
            throw new UnreadableJsonException(name + " must be valid Unicode");
        }
        return text;
    }

    private static String checked(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new UnreadableJsonException("'" + name
                    + "' is not an attribute of a CloudEvent: these have only lower-case letters and digits");
        }
        return name;
    }
}
