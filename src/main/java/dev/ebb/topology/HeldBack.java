package dev.ebb.topology;

import dev.ebb.domain.policy.BrakeFinding;
import dev.ebb.store.ParkedRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records that the brake has not let through, and that come into force together: one, or those of a file.
 *
 * @param id the offset of the first record that it had
 * @param file the id of their file; empty if there is none
 * @param sinceMs since when they wait, epoch milliseconds
 * @param finding how much they would delete, so that they wait for a confirmation; null as long as that is not known
 * @param records the records, in their order
 */
record HeldBack(
        long id, String file, long sinceMs, @Nullable BrakeFinding finding, List<ParkedRecord> records) {

    HeldBack {
        records = List.copyOf(records);
    }

    /** Whether it still has to be found out how much they would delete. */
    boolean isQueued() {
        return finding == null;
    }

    HeldBack found(BrakeFinding found) {
        return new HeldBack(id, file, sinceMs, found, records);
    }

    HeldBack with(List<ParkedRecord> left) {
        return new HeldBack(id, file, sinceMs, finding, left);
    }

    byte[] encode() {
        try (var bytes = new ByteArrayOutputStream();
                var out = new DataOutputStream(bytes)) {
            out.writeLong(id);
            out.writeUTF(file);
            out.writeLong(sinceMs);
            write(out, finding);
            out.writeInt(records.size());
            for (ParkedRecord record : records) {
                byte[] encoded = record.encode();
                out.writeInt(encoded.length);
                out.write(encoded);
            }
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static HeldBack decode(byte[] bytes) {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            long id = in.readLong();
            String file = in.readUTF();
            long sinceMs = in.readLong();
            BrakeFinding finding = readFinding(in);
            List<ParkedRecord> records = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                records.add(ParkedRecord.decode(in.readNBytes(in.readInt())));
            }
            return new HeldBack(id, file, sinceMs, finding, records);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(DataOutputStream out, @Nullable BrakeFinding finding) throws IOException {
        out.writeBoolean(finding != null);
        if (finding != null) {
            out.writeLong(finding.wouldDelete());
            out.writeBoolean(finding.isAtLeast());
            out.writeLong(finding.stored());
        }
    }

    private static @Nullable BrakeFinding readFinding(DataInputStream in) throws IOException {
        return in.readBoolean() ? new BrakeFinding(in.readLong(), in.readBoolean(), in.readLong()) : null;
    }
}
