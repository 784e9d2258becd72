package dev.ebb.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteWriterTest {

    /** Less room than is needed, just enough, and more. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 100})
    void shouldWriteWhateverRoomWasExpected(int expectedBytes) {
        assertThat(new ByteWriter(expectedBytes).writeByte(0x1FF).toBytes()).containsExactly(0xFF);
        assertThat(new ByteWriter(expectedBytes).writeInt(0x01020304).toBytes()).containsExactly(1, 2, 3, 4);
        assertThat(new ByteWriter(expectedBytes).writeLong(0x0102030405060708L).toBytes())
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(new ByteWriter(expectedBytes).writeVarLong(300).toBytes()).containsExactly(0xAC, 0x02);
        assertThat(new ByteWriter(expectedBytes).writeText("é").toBytes()).containsExactly(2, 0xC3, 0xA9);
        assertThat(new ByteWriter(expectedBytes).writeOptionalText(null).toBytes())
                .isEmpty();
        assertThat(new ByteWriter(expectedBytes).writeBytes(new byte[99]).toBytes())
                .hasSize(100)
                .startsWith(99);
        assertThat(new ByteWriter(expectedBytes).writeRaw(new byte[99]).toBytes())
                .hasSize(99);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 127, 128, 16_383, 16_384, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void shouldReadBackNumbersOfAnySize(long number) {
        // given
        byte[] bytes = new ByteWriter(1)
                .writeVarLong(number)
                .writeLong(number)
                .writeInt((int) number)
                .toBytes();

        // when
        ByteReader in = new ByteReader(bytes);

        // then
        assertThat(in.readVarLong()).isEqualTo(number);
        assertThat(in.readLong()).isEqualTo(number);
        assertThat(in.readInt()).isEqualTo((int) number);
    }

    @Test
    void shouldGrowWhileItWrites() {
        ByteWriter out = new ByteWriter(1);

        for (int i = 0; i < 1000; i++) {
            out.writeByte(i);
        }

        assertThat(out.toBytes()).hasSize(1000).endsWith((byte) 999);
    }
}
