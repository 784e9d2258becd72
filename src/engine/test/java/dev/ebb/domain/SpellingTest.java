package dev.ebb.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-23")
class SpellingTest {

    @ParameterizedTest
    @CsvSource({
        "custmers, customers",
        "Customers, customers",
        "ORDERS, orders",
        "C, c",
        "x, ",
        "ab, ",
        "ordrs, orders",
        "oredrs, orders",
        "roders, orders",
        "rdoers, ",
        "maxAges, "
    })
    void shouldFindTheWordThatWasProbablyIntended(String word, String meant) {
        List<String> known = List.of("*", "c", "customers", "orders", "zz");

        assertThat(Spelling.closest(word, known).orElse(null)).isEqualTo(meant);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max_age | ; did you mean maxAge?",
                "max-age | ; did you mean maxAge?",
                "MAXAGE | ; did you mean maxAge?",
                "maxAgee | ; did you mean maxAge?",
                "colour | ''"
            })
    void shouldNameTheFieldThatWasProbablyIntended(String name, String meant) {
        assertThat(Spelling.unknownField(name, List.of("scope", "maxAge")))
                .isEqualTo("unknown field '" + name + "'" + meant);
    }
}
