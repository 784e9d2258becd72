package dev.ebb.topology.trash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Notes of {@link TrashNames} that do not fit into memory, in a temporary file that no other process can open by its name:
 * those with the same name are in the same of many parts. Not thread-safe.
 */
final class NameSpill implements AutoCloseable {

    private static final int PARTS = 256;
    private static final int NOTES_OF_CHUNK = 512;
    private static final int NOTE_BYTES = Long.BYTES + 2 * Integer.BYTES + 1;
    private static final int CHUNK_BYTES = NOTES_OF_CHUNK * NOTE_BYTES;

    private final FileChannel file;
    private final List<Part> parts = Stream.generate(Part::new).limit(PARTS).toList();
    private long end;

    NameSpill() {
        try {
            Path path = Files.createTempFile("ebb-undo", null);
            file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notes of names with the same first bits: the full chunks are in the file. */
    private static final class Part {

        private final ByteBuffer last = ByteBuffer.allocate(CHUNK_BYTES);
        private long[] chunks = new long[4];
        private int size;
    }

    void add(long name, int place, int sid, byte kind) {
        Part part = parts.get((int) (name >>> (Long.SIZE - Byte.SIZE)));
        part.last.putLong(name).putInt(place).putInt(sid).put(kind);
        if (!part.last.hasRemaining()) {
            write(part);
        }
    }

    private void write(Part part) {
        if (part.size == part.chunks.length) {
            part.chunks = Arrays.copyOf(part.chunks, 2 * part.size);
        }
        part.chunks[part.size++] = end;
        part.last.flip();
        try {
            while (part.last.hasRemaining()) {
                end += file.write(part.last, end);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        part.last.clear();
    }

    /** Returns the notes part by part; those of a part in the order in which they were added. */
    Iterable<List<ByteBuffer>> parts() {
        return () -> parts.stream().map(this::chunks).iterator();
    }

    private List<ByteBuffer> chunks(Part part) {
        List<ByteBuffer> chunks = new ArrayList<>();
        for (int i = 0; i < part.size; i++) {
            chunks.add(read(part.chunks[i]));
        }
        chunks.add(part.last.duplicate().flip());
        return chunks;
    }

    private ByteBuffer read(long from) {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        try {
            while (chunk.hasRemaining()) {
                if (file.read(chunk, from + chunk.position()) < 0) {
                    throw new IOException("the temporary file is too short");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return chunk.flip();
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
