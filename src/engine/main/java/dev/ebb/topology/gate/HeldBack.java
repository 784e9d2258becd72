package dev.ebb.topology.gate;

import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.NamespaceLoss;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records that the brake has not let through, and that come into force together: one, or those of a file.
 *
 * @param version the version of the records: the offset of the last one
 * @param file the id of their file; empty if there is none
 * @param actor name of the author; empty if unknown
 * @param sinceMs time since which they wait, epoch milliseconds
 * @param finding result of their assessment, for which they wait for a confirmation; null as long as it is not known
 * @param isOutdated true if another change has come into force since, with which they may delete more than the finding
 *     says
 * @param records the records, in their order
 */
public record HeldBack(
        long version,
        String file,
        String actor,
        long sinceMs,
        @Nullable BrakeFinding finding,
        boolean isOutdated,
        List<GateRecord> records) {

    public HeldBack {
        records = List.copyOf(records);
    }

    /** Returns a change of which it is not known how much it would delete. */
    public static HeldBack unassessed(long version, String file, String actor, long sinceMs, List<GateRecord> records) {
        return new HeldBack(version, file, actor, sinceMs, null, false, records);
    }

    /** Returns true while the number of the change's deletes is unknown. */
    boolean isQueued() {
        return finding == null || isOutdated;
    }

    /** Returns true if it was planned, so that it comes into force as a whole or not at all. */
    boolean isPlanned() {
        return records.stream().anyMatch(GateRecord::isPlanned);
    }

    /** Returns true if that is its version, and it has a record of that key. */
    boolean isNamed(String key, long name) {
        return version == name
                && records.stream().anyMatch(record -> record.key().equals(key));
    }

    /** Returns the number of records that came with it, of which newer changes may have replaced some. */
    long recordsOfFile() {
        return records.get(0).recordsOfFile();
    }

    /** Returns true if the change is known to delete no more than so many events; {@link Long#MAX_VALUE} for any number. */
    boolean isWithin(long most) {
        return most == Long.MAX_VALUE || (finding != null && finding.isWithin(most));
    }

    /** Returns the same records with the result of a new assessment. */
    HeldBack found(BrakeFinding found) {
        return new HeldBack(version, file, actor, sinceMs, found, false, records);
    }

    /** Returns the same records, to be assessed once more. */
    HeldBack outdated() {
        return new HeldBack(version, file, actor, sinceMs, finding, true, records);
    }

    /** Returns a change of the remaining records; the number of its deletes is not known. */
    HeldBack without(List<GateRecord> left) {
        return unassessed(version, file, actor, sinceMs, left);
    }

    /** Encodes all but the records, which are stored singly: together they may exceed one entry of the changelog. */
    byte[] encode() {
        try (var bytes = new ByteArrayOutputStream();
                var out = new DataOutputStream(bytes)) {
            write(out, file);
            write(out, actor);
            out.writeLong(sinceMs);
            write(out, finding);
            out.writeBoolean(isOutdated);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static HeldBack decode(long version, byte[] bytes, List<GateRecord> records) {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            String file = readText(in);
            String actor = readText(in);
            long sinceMs = in.readLong();
            BrakeFinding finding = readFinding(in);
            boolean isOutdated = in.readBoolean();
            return new HeldBack(version, file, actor, sinceMs, finding, isOutdated, records);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a text of any length: both texts come from headers that any producer can write. */
    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    private static void write(DataOutputStream out, @Nullable BrakeFinding finding) throws IOException {
        out.writeBoolean(finding != null);
        if (finding != null) {
            out.writeLong(finding.wouldDelete());
            out.writeBoolean(finding.isAtLeast());
            out.writeLong(finding.stored());
            out.writeInt(finding.namespaces().size());
            for (NamespaceLoss loss : finding.namespaces()) {
                write(out, loss.namespace());
                out.writeLong(loss.wouldDelete());
                out.writeLong(loss.stored());
                out.writeLong(loss.earlier());
            }
        }
    }

    private static @Nullable BrakeFinding readFinding(DataInputStream in) throws IOException {
        if (!in.readBoolean()) {
            return null;
        }
        BrakeFinding all = new BrakeFinding(in.readLong(), in.readBoolean(), in.readLong());
        List<NamespaceLoss> namespaces = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            namespaces.add(new NamespaceLoss(readText(in), in.readLong(), in.readLong(), in.readLong()));
        }
        return all.of(namespaces);
    }
}
