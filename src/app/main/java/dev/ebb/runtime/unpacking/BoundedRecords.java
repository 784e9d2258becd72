package dev.ebb.runtime.unpacking;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.NoSuchElementException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.DefaultRecord;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.apache.kafka.common.utils.internals.CloseableIterator;
import org.jspecify.annotations.Nullable;

/** The records of a batch, one by one, each in bounded memory; see {@link LongRecord}. Not thread-safe. */
final class BoundedRecords implements CloseableIterator<Record> {

    /** Size below which records are laid out whole, as Kafka does, since they cannot have many headers. */
    private static final int SHORT_BYTES = 64 * 1024;

    private final DefaultRecordBatch batch;
    private final InputStream input;
    private final int mostBytes;
    private final int count;
    private final @Nullable Long logAppendTime;
    private int read;

    BoundedRecords(DefaultRecordBatch batch, BufferSupplier buffers, int mostBytes) {
        this.batch = batch;
        this.mostBytes = mostBytes;
        this.count = batch.countOrNull();
        if (count < 0) {
            throw new InvalidRecordException("a batch of " + count + " records");
        }
        this.logAppendTime = batch.timestampType() == TimestampType.LOG_APPEND_TIME ? batch.maxTimestamp() : null;
        this.input = batch.recordInputStream(buffers);
    }

    @Override
    public boolean hasNext() {
        return read < count;
    }

    @Override
    public Record next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        read++;
        try {
            Record record = DefaultRecord.readFrom(
                    nextBytes(), batch.baseOffset(), batch.baseTimestamp(), batch.baseSequence(), logAppendTime);
            if (read == count && input.read() >= 0) {
                throw new InvalidRecordException("a batch of " + count + " records has something behind them");
            }
            return record;
        } catch (EOFException e) {
            throw new InvalidRecordException("a batch ends before its last record", e);
        } catch (IOException e) {
            throw new CorruptRecordException("a batch cannot be unpacked: " + e.getMessage());
        }
    }

    private ByteBuffer nextBytes() throws IOException {
        int bytes = ByteUtils.readVarint(input);
        if (bytes < 0) {
            throw new InvalidRecordException("a record of " + bytes + " bytes");
        }
        if (bytes > SHORT_BYTES) {
            return new LongRecord(input, bytes, mostBytes).read();
        }
        ByteBuffer record = ByteBuffer.allocate(ByteUtils.sizeOfVarint(bytes) + bytes);
        ByteUtils.writeVarint(bytes, record);
        if (input.readNBytes(record.array(), record.position(), bytes) < bytes) {
            throw new EOFException();
        }
        return record.rewind();
    }

    @Override
    public void close() {
        try {
            input.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
