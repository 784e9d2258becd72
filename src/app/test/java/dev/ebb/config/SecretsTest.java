package dev.ebb.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R-13")
class SecretsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://anna:geheim@h:8081/a?b=c | http://[hidden]@h:8081/a?b=c",
                "http://anna@h | http://anna@h",
                "http://anna:ge@he/im,1@h:8081 | http://[hidden]@h:8081",
                "http://h0:8081,http://a:geheim@h1,http://b:geheim@h2 | http://h0:8081,http://[hidden]@h1,http://[hidden]@h2",
                "jdbc:postgresql://h1:1,h2:2/e?user=a@b&password=ge;heim&x=y | jdbc:postgresql://h1:1,h2:2/e?user=a@b&password=[hidden]&x=y",
                "jdbc:postgresql://h/e?Password=geheim | jdbc:postgresql://h/e?Password=[hidden]",
                "jdbc:postgresql://h/e?sslpassword=geheim&x=y | jdbc:postgresql://h/e?sslpassword=[hidden]&x=y",
                "jdbc:other://h;pwd=ge&heim;x=y | jdbc:other://h;pwd=[hidden];x=y",
                "http://h:8081/a;b=c?d=e | http://h:8081/a;b=c?d=e",
                "anna@h | anna@h"
            })
    void shouldHideSecretsInsideValues(String value, String shown) {
        assertThat(Secrets.show("sql.url", value)).isEqualTo(shown);
    }
}
