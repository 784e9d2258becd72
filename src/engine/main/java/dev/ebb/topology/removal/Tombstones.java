package dev.ebb.topology.removal;

import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.domain.source.TombstoneHeader;
import dev.ebb.store.events.Removed;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Headers of the tombstones for the topics of sources, by which Ebb knows them again (F-6). */
final class Tombstones {

    private Tombstones() {}

    /** @param policyVersion the version of the policies by which the removal was decided */
    static Headers headers(Removed removed, RemovalRule rule, long policyVersion, Origin origin, SourcePlace judged) {
        Headers headers = new RecordHeaders();
        boolean isByCommand = removed.cause().isCommand();
        add(headers, TombstoneHeader.CAUSE, removed.cause().name());
        add(headers, TombstoneHeader.SCOPE, isByCommand ? removed.stream().value() : rule.scope());
        add(headers, TombstoneHeader.POLICY_VERSION, Long.toString(policyVersion));
        add(headers, TombstoneHeader.ID, isByCommand ? origin.commandId() : origin.sweepId());
        add(headers, TombstoneHeader.JUDGED, Long.toString(judged.offset()));
        return headers;
    }

    private static void add(Headers headers, TombstoneHeader header, String value) {
        headers.add(header.key(), value.getBytes(StandardCharsets.UTF_8));
    }
}
