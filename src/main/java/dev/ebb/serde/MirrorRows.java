package dev.ebb.serde;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.*;
import dev.ebb.domain.retention.AuditRecord;
import org.jspecify.annotations.Nullable;

/** Stub. */
public final class MirrorRows {
    public byte[] eventKey(long storedAt, String stream, String id) {
        return (storedAt + "|" + stream + "|" + id).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    public byte[] eventRow(StoredEvent e) {
        return e.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    public byte[] policyKey(Scope s) {
        return s.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    public byte[] policyRow(RetentionPolicy p, @Nullable Long version, boolean builtIn, long updatedAtMs) {
        return p.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    public byte[] auditKey(String id) {
        return id.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    public byte[] auditRow(AuditRecord a) {
        return a.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    public byte[] auditRow(PolicyChange c) {
        return c.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
}
