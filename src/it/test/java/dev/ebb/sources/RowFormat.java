package dev.ebb.sources;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.serde.schemas.ConfluentSchemaRegistry;
import dev.ebb.serde.schemas.WireFormat;
import java.io.IOException;
import java.util.Locale;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;

/** Keys, values and hostile values of a topic, and the declaration of its source. */
enum RowFormat {
    JSON("json", """
            {"customer": "%s", "state": "%s", "at": %d, "version": %d}"""),
    AVRO("avro", ""),
    /** Changes of a table as Debezium writes them with schemas, read through Connect's converter and its transformation. */
    CHANGE(
            "{\"converter\": \"org.apache.kafka.connect.json.JsonConverter\", \"transforms\": [{\"type\":"
                    + " \"io.debezium.transforms.ExtractNewRecordState\","
                    + " \"options\": {\"delete.tombstone.handling.mode\": \"tombstone\"}}]}",
            """
            {"schema": {"type": "struct", "name": "shop.rows.Envelope", "fields": [
               {"field": "before", "type": "struct", "optional": true, "fields": [%1$s]},
               {"field": "after", "type": "struct", "optional": true, "fields": [%1$s]},
               {"field": "source", "type": "struct", "fields": [{"field": "lsn", "type": "int64"}]},
               {"field": "op", "type": "string"}]},
             "payload": {"before": null, "op": "u", "source": {"lsn": %5$d}, "after":
               {"id": "%6$s", "customer": "%2$s", "state": "%3$s", "at": %4$d, "version": %5$d}}}""");

    private static final String COLUMNS = """
            {"field": "id", "type": "string"}, {"field": "customer", "type": "string"},
            {"field": "state", "type": "string"}, {"field": "at", "type": "int64"},
            {"field": "version", "type": "int64"}""";
    private static final Schema ROW = SchemaBuilder.record("Row")
            .fields()
            .requiredString("customer")
            .requiredString("state")
            .requiredLong("at")
            .requiredLong("version")
            .endRecord();

    private final String value;
    private final String template;
    private int schemaId;

    RowFormat(String value, String template) {
        this.value = value;
        this.template = template;
    }

    String topic() {
        return "shop." + namespace();
    }

    String namespace() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Declares the source of the topic, with tombstones on the very topic. */
    String source() {
        return """
                {"name": "%1$s", "topic": "%2$s", "as": "table", "key": "text", "value": %3$s, "stream": "%1$s/{value.customer}",
                 "occurredAt": {"from": "value.at", "unit": "ms"}, "keep": "%4$s",
                 "status": {"from": "value.state", "map": {"DONE": "completed"}}, "target": {"tombstones": "same"}}
                """.formatted(
                        namespace(),
                        topic(),
                        value.startsWith("{") ? value : "\"" + value + "\"",
                        this == AVRO ? "payload" : "reference");
    }

    /** Registers the schemas, where there are some. */
    void prepare(ConfluentSchemaRegistry registry) throws IOException {
        if (this == AVRO) {
            schemaId = registry.register(topic() + "-value", ROW.toString());
        }
    }

    byte[] key(int row) {
        String id = "r-" + row;
        if (this != CHANGE) {
            return id.getBytes(UTF_8);
        }
        return ("{\"schema\": {\"type\": \"struct\", \"fields\": [{\"field\": \"id\", \"type\": \"string\"}]},"
                        + " \"payload\": {\"id\": \"" + id + "\"}}")
                .getBytes(UTF_8);
    }

    byte[] value(int row, String customer, String state, long atMs, long version) {
        if (this == AVRO) {
            GenericData.Record record = new GenericData.Record(ROW);
            record.put("customer", customer);
            record.put("state", state);
            record.put("at", atMs);
            record.put("version", version);
            return WireFormat.write(schemaId, record);
        }
        String text = this == JSON
                ? template.formatted(customer, state, atMs, version)
                : template.formatted(COLUMNS, customer, state, atMs, version, "r-" + row);
        return text.getBytes(UTF_8);
    }

    /** Returns bytes that its reader must refuse, of several kinds in turn. */
    byte[] hostile(long version) {
        return switch ((int) (version % 5)) {
            case 0 -> ("{\"customer\": " + version).getBytes(UTF_8);
            case 1 -> ("[".repeat(2_000) + version).getBytes(UTF_8);
            case 2 -> new byte[] {0, 127, 127, 127, 127, (byte) version};
            case 3 -> new byte[] {(byte) 0xc3, (byte) 0x28, (byte) version};
            default -> ("{\"customer\": {\"a\": " + version + "}, \"payload\": 1}").getBytes(UTF_8);
        };
    }
}
