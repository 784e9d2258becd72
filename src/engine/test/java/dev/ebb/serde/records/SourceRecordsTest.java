package dev.ebb.serde.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sources as records of the topic of policies. */
@Tag("F-1")
class SourceRecordsTest {

    private static final String GOOD =
            "{\"name\": \"orders\", \"topic\": \"t\", \"as\": \"log\", \"stream\": \"orders/{record.partition}\"}";

    @Test
    void shouldReadADeclaration() {
        // when
        DecodedPolicy decoded = JsonTypes.policy("source:orders", GOOD.getBytes(UTF_8));

        // then
        assertThat(decoded).isInstanceOfSatisfying(DecodedPolicy.OfSource.class, of -> assertThat(
                        of.source().name())
                .isEqualTo("orders"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    source:invoices | {"name": "orders", "topic": "t", "as": "log", "stream": "s"} | name: is 'orders', but the record's key is 'source:invoices'
                    source:orders   | {"name": "orders", "topic": "t", "as": "logg", "stream": "s"} | as: must be table or log, was 'logg'; did you mean log?
                    source:orders   | []                                                          | source: must be an object in JSON
                    source:orders   | {"name": 7}                                                 | name: must be a text
                    """)
    void shouldNameEachFault(String key, String declaration, String fault) {
        // when
        DecodedPolicy decoded = JsonTypes.policy(key, declaration.getBytes(UTF_8));

        // then
        assertThat(decoded).isInstanceOfSatisfying(DecodedPolicy.Bad.class, bad -> assertThat(
                        bad.rejection().detail())
                .contains(fault));
    }
}
