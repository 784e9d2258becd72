package dev.ebb.api;

import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Receipt;
import dev.ebb.domain.receipt.VerifierKey;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.ReceiptQueries;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receipts that the test has made. */
public final class FakeReceipts implements ReceiptQueries {

    final List<String> asked = new ArrayList<>();
    Receipt receipt = new Receipt(List.of(), List.of());
    Verified verified = new Verified("0", 0, 0, 0, 0, 0, 0, null, null, null);
    int part = 1;
    int parts = 1;
    boolean isRefused;

    @Override
    public Part receipt(AuditFilter filter, @Nullable String event, @Nullable String after) {
        if (isRefused) {
            throw new RefusedReceiptException("too many");
        }
        asked.add(filter.stream() + " " + event + " " + filter.sweep() + " " + after);
        return new Part(receipt, part, parts, part < parts ? "more" : null);
    }

    @Override
    public Verified verify(List<VerifierKey> keys, @Nullable Checkpoint known, @Nullable String after) {
        asked.add(keys + " " + (known == null ? null : known.origin()) + " " + after);
        return verified;
    }
}
