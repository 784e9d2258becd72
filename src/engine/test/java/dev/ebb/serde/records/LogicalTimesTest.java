package dev.ebb.serde.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Event;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.RejectedException;
import java.time.Instant;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.util.Utf8;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-22")
class LogicalTimesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'long','logicalType':'timestamp-millis' | 1764300000123 | 2025-11-28T03:20:00.123Z",
                "'long','logicalType':'timestamp-micros' | 1764300000123456 | 2025-11-28T03:20:00.123Z",
                "'long','logicalType':'timestamp-nanos' | 1764300000123456789 | 2025-11-28T03:20:00.123Z",
                "'long','logicalType':'local-timestamp-micros' | 1764300000123456 | 2025-11-28T03:20:00.123Z"
            })
    void shouldReadTheUnitFromTheSchema(String type, long value, String moment) {
        Event event = event(type, value);

        assertThat(Instant.ofEpochMilli(event.occurredAt())).isEqualTo(Instant.parse(moment));
        assertThat(Instant.ofEpochMilli(event.ttl().expiresAt())).isEqualTo(Instant.parse(moment));
    }

    @ParameterizedTest
    @CsvSource("20420, 2025-11-28T00:00:00Z, 2025-11-28T23:59:59.999Z")
    void shouldTakeADateByItsBound(int days, String occurredAt, String expiresAt) {
        Event event = event("'int','logicalType':'date'", days);

        assertThat(Instant.ofEpochMilli(event.occurredAt())).isEqualTo(Instant.parse(occurredAt));
        assertThat(Instant.ofEpochMilli(event.ttl().expiresAt())).isEqualTo(Instant.parse(expiresAt));
    }

    @ParameterizedTest
    @CsvSource({
        "2025-11-28T03:20:00.123456+00:00, 2025-11-28T03:20:00.123Z",
        "1764300000s, 2025-11-28T03:20:00Z",
        "2016-12-31T23:59:60Z, 2016-12-31T23:59:59.999Z"
    })
    void shouldReadTextsAsInJson(String text, String moment) {
        for (Object value : new Object[] {text, new Utf8(text)}) {
            Event event = event("'string'", value);

            assertThat(Instant.ofEpochMilli(event.occurredAt())).isEqualTo(Instant.parse(moment));
            assertThat(Instant.ofEpochMilli(event.ttl().expiresAt())).isEqualTo(Instant.parse(moment));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"1764300000 | has no unit; write epoch as 1764300000s", "1h | was the duration '1h'"})
    void shouldRefuseTextsThatAreNotClear(String text, String why) {
        assertThatThrownBy(() -> event("'string'", text))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("occurredAt is not a time: ")
                .hasMessageContaining(why);
    }

    /** Read as milliseconds, an end at a minute to midnight in microseconds would be of 1972. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"'int','logicalType':'time-millis' | 3600000", "'long','logicalType':'time-micros' | 86340000000"})
    void shouldTakeNoTimeOfDayForAMoment(String type, long value) {
        Object number = value <= Integer.MAX_VALUE ? (Object) (int) value : (Object) value;

        assertThatThrownBy(() -> event(type, number)).hasMessageContaining("is a time of day and no moment");
    }

    private static Event event(String type, Object value) {
        Schema schema = new Schema.Parser()
                .parse(("{'type':'record','name':'Event','namespace':'dev.ebb','fields':["
                                + "{'name':'stream','type':'string'},{'name':'id','type':'string'},"
                                + "{'name':'occurredAt','type':{'type':" + type + "}},"
                                + "{'name':'expiresAt','type':['null',{'type':" + type + "}]}]}")
                        .replace('\'', '"'));
        GenericRecord avro = new GenericData.Record(schema);
        avro.put("stream", "orders/1");
        avro.put("id", "a");
        avro.put("occurredAt", value);
        avro.put("expiresAt", value);
        return EventRecords.event(avro, FieldMap.of(EbbSchemas.EVENT, schema));
    }
}
