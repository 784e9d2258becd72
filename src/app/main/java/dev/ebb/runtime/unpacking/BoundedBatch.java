package dev.ebb.runtime.unpacking;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.OptionalLong;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * A batch whose records are unpacked in bounded memory. Not thread-safe.
 *
 * @param mostBytes the maximum number of bytes to keep of the key of a record, of its value, and of its headers
 */
record BoundedBatch(DefaultRecordBatch batch, int mostBytes) implements RecordBatch {

    @Override
    public CloseableIterator<Record> streamingIterator(BufferSupplier buffers) {
        return new BoundedRecords(batch, buffers, mostBytes);
    }

    /** Refuses no record by its size, unlike a batch of Kafka: each is cut to {@link #mostBytes}. Consumers set no limit. */
    @Override
    public CloseableIterator<Record> streamingIterator(BufferSupplier buffers, int mostBytesOfRecord) {
        return streamingIterator(buffers);
    }

    @Override
    public void writeTo(ByteBuffer buffer) {
        batch.writeTo(buffer);
    }

    @Override
    public boolean isValid() {
        return batch.isValid();
    }

    @Override
    public void ensureValid() {
        batch.ensureValid();
    }

    @Override
    public long checksum() {
        return batch.checksum();
    }

    @Override
    public long maxTimestamp() {
        return batch.maxTimestamp();
    }

    @Override
    public TimestampType timestampType() {
        return batch.timestampType();
    }

    @Override
    public long baseOffset() {
        return batch.baseOffset();
    }

    @Override
    public long lastOffset() {
        return batch.lastOffset();
    }

    @Override
    public long nextOffset() {
        return batch.nextOffset();
    }

    @Override
    public byte magic() {
        return batch.magic();
    }

    @Override
    public long producerId() {
        return batch.producerId();
    }

    @Override
    public short producerEpoch() {
        return batch.producerEpoch();
    }

    @Override
    public boolean hasProducerId() {
        return batch.hasProducerId();
    }

    @Override
    public int baseSequence() {
        return batch.baseSequence();
    }

    @Override
    public int lastSequence() {
        return batch.lastSequence();
    }

    @Override
    public CompressionType compressionType() {
        return batch.compressionType();
    }

    @Override
    public int sizeInBytes() {
        return batch.sizeInBytes();
    }

    @Override
    public @Nullable Integer countOrNull() {
        return batch.countOrNull();
    }

    @Override
    public boolean isCompressed() {
        return batch.isCompressed();
    }

    @Override
    public boolean isTransactional() {
        return batch.isTransactional();
    }

    @Override
    public OptionalLong deleteHorizonMs() {
        return batch.deleteHorizonMs();
    }

    @Override
    public int partitionLeaderEpoch() {
        return batch.partitionLeaderEpoch();
    }

    @Override
    public boolean isControlBatch() {
        return batch.isControlBatch();
    }

    @Override
    public Iterator<Record> iterator() {
        return batch.iterator();
    }
}
