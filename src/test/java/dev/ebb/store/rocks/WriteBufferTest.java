package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import java.io.File;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** The form of a batch is that of RocksDB: should another version give it another one, this fails. */
@Tag("A-5")
class WriteBufferTest {

    @TempDir
    private File folder;

    @Test
    void shouldWriteABatchAsRocksDbDoes() {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0);
                Database database = Database.open(folder, memory)) {
            SeededCases.forAFew(100, random -> {
                WriteBuffer buffer = new WriteBuffer(database);
                try (WriteBatch batch = new WriteBatch()) {
                    for (int i = random.nextInt(50); i >= 0; i--) {
                        change(random, random.nextBoolean() ? database.records : database.lookups, buffer, batch);
                    }
                    assertThat(buffer.toBatch()).isEqualTo(batch.data());
                } catch (RocksDBException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    @Test
    void shouldWriteEveryChangeInItsOrder() throws RocksDBException {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0);
                Database database = Database.open(folder, memory)) {
            // given
            WriteBuffer buffer = new WriteBuffer(database);

            // when more than fits into one batch
            for (int i = 0; i < 3000; i++) {
                buffer.put(database.records, new byte[] {(byte) (i % 100)}, new byte[] {(byte) i});
            }
            buffer.delete(database.records, new byte[] {7});
            buffer.put(database.lookups, new byte[] {7}, new byte[2 << 20]);
            buffer.drain();

            // then
            assertThat(database.db.get(database.records, new byte[] {99})).containsExactly((byte) 2999);
            assertThat(database.db.get(database.records, new byte[] {7})).isNull();
            assertThat(database.db.get(database.lookups, new byte[] {7})).hasSize(2 << 20);
        }
    }

    private static void change(Random random, ColumnFamilyHandle family, WriteBuffer buffer, WriteBatch batch)
            throws RocksDBException {
        byte[] key = new byte[random.nextInt(200)];
        byte[] value = new byte[random.nextInt(300) * random.nextInt(100)];
        random.nextBytes(key);
        random.nextBytes(value);
        if (random.nextInt(4) == 0) {
            buffer.delete(family, key);
            batch.delete(family, key);
        } else {
            buffer.put(family, key, value);
            batch.put(family, key, value);
        }
    }
}
