package dev.ebb.store.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BundleTest {

    private final Bundle bundle = new Bundle();
    private final List<String> records = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();

    @Test
    void shouldBeOneRecordOfTheLastChangeOfEachKey() {
        // given
        bundle.put(key("a"), bytes("1"));
        bundle.put(key("b"), bytes("2"));
        bundle.put(key("a"), null);
        bundle.put(key("b"), bytes(""));
        bundle.put(key("c"), bytes("x".repeat(300)));

        // when
        bundle.take((key, value) -> {
            records.add(text(key));
            assertThat(Bundle.read(key, value, this::changed)).isTrue();
        });

        // then
        assertThat(records).containsExactly("Ba");
        assertThat(changes).containsExactly("a gone", "b=", "c=" + "x".repeat(300));
        assertThat(bundle.sizeBytes()).isZero();
    }

    @Test
    void shouldSendASingleChangeAsItIs() {
        bundle.put(key("a"), bytes("1"));
        bundle.take((key, value) -> {
            assertThat(Bundle.read(key, value, this::changed)).isFalse();
            changed(key, value);
        });

        assertThat(changes).containsExactly("a=1");
    }

    @Test
    void shouldSendNothingOfNothing() {
        bundle.take(this::changed);
        bundle.put(key("a"), bytes("1"));
        bundle.clear();
        bundle.take(this::changed);

        assertThat(changes).isEmpty();
        assertThat(bundle.sizeBytes()).isZero();
    }

    @Test
    void shouldKnowItsSizeWhateverReplacesAChange() {
        bundle.put(key("a"), bytes("123"));
        bundle.put(key("a"), null);
        bundle.put(key("a"), bytes("12"));

        assertThat(bundle.sizeBytes()).isEqualTo(Bundle.size(key("a"), bytes("12")));
    }

    @Test
    void shouldRefuseAnotherForm() {
        assertThatThrownBy(() -> Bundle.read(bytes("Ba"), new byte[] {2}, this::changed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("form 2");
    }

    private void changed(byte[] key, byte @Nullable [] value) {
        changes.add(text(key) + (value == null ? " gone" : "=" + text(value)));
    }

    private static Bytes key(String text) {
        return Bytes.wrap(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
