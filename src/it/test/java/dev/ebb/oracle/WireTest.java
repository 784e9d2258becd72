package dev.ebb.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records in JSON as the oracle reads them: by the page on plain JSON, and without a class of the product. */
@Tag("R-1")
class WireTest {

    private final Wire wire = new Wire(null);

    @Test
    void shouldReadEventsUpdatesAndExecutions() {
        // when
        GenericRecord event =
                input("{'stream':'s','id':'a','occurredAt':5,'metadata':{'k':'v'},'payloadBase64':'aGk='}");
        GenericRecord update = input("{'stream':'s','id':'a','status':'done','update':true}");
        GenericRecord execution = input("{'stream':'s','execution':2,'status':'running'}");

        // then
        assertThat(event.getSchema().getName()).isEqualTo(Intake.EVENT);
        assertThat(Fields.number(event, "occurredAt")).isEqualTo(5);
        assertThat(Fields.texts(event, "metadata")).isEqualTo(Map.of("k", "v"));
        assertThat(event.get("payload")).isEqualTo(ByteBuffer.wrap("hi".getBytes(UTF_8)));
        assertThat(Fields.truth(event, "noExpiration")).isFalse();
        assertThat(event.get("ttlSeconds")).isNull();
        assertThat(update.getSchema().getName()).isEqualTo(Intake.UPDATE);
        assertThat(execution.getSchema().getName()).isEqualTo(Intake.EXECUTION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{'stream':'s','id':'a'}}",
                "{'stream':'s','id':'a','no':1}",
                "{'stream':'s','id':1}",
                "{'stream':'s','id':'a','ttlSeconds':1.5}",
                "{'stream':'s','id':'a','ttlSeconds':9223372036854775808}",
                "{'stream':'s','id':'a','payloadBase64':'*'}",
                "{'stream':'s','id':'a','update':'yes'}",
                "{'stream':'s'}"
            })
    void shouldReadNothingElse(String value) {
        assertThat(input(value)).isNull();
    }

    @Test
    void shouldReadRecordsOfEbb() {
        // when
        GenericRecord number = wire.read(json("{'scope':'*','maxCount':7}"), "RetentionPolicy");
        GenericRecord text = wire.read(json("{'scope':'*','maxCount':'unlimited'}"), "RetentionPolicy");
        GenericRecord errand = wire.read(json("{'commandId':'c','step':'x','sender':1,'body':'{}'}"), "Command");

        // then
        assertThat(number.get("maxCount")).isEqualTo(7L);
        assertThat(text.get("maxCount")).isEqualTo("unlimited");
        assertThat(errand).isNull();
    }

    private GenericRecord input(String value) {
        return wire.readInput(json(value));
    }

    private static byte[] json(String value) {
        return value.replace('\'', '"').getBytes(UTF_8);
    }
}
