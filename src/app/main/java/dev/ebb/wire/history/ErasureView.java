package dev.ebb.wire.history;

import dev.ebb.domain.erase.EraseCase;
import dev.ebb.domain.erase.RemainingPlace;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.wire.WireJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A completed erasure, and every place where bytes of its events may remain.
 *
 * @param fields the fields of its conditions; their values are not kept
 * @param left number of events that stay, by reason
 * @param places all places, including those that are clean by now
 */
public record ErasureView(
        String caseId,
        @Nullable String commandId,
        String actor,
        String reason,
        Instant finishedAt,
        List<String> fields,
        String namespace,
        long events,
        long bytes,
        Map<String, Long> left,
        String detail,
        List<PlaceView> places) {

    /** Returns the erasure of that audit record, as of that time. */
    public static ErasureView of(AuditRecord audit, Instant now) {
        String account = Objects.requireNonNull(audit.policy(), "an erasure has an account");
        EraseCase erased = Objects.requireNonNull(
                WireJson.read(account.getBytes(StandardCharsets.UTF_8), EraseCase.class), "its account can be read");
        return new ErasureView(
                erased.caseId(),
                audit.commandId(),
                audit.actor(),
                audit.reason(),
                Instant.ofEpochMilli(erased.finishedMs()),
                erased.fields(),
                erased.namespace(),
                erased.events(),
                erased.bytes(),
                erased.left(),
                erased.detail(),
                erased.places().stream()
                        .map(place -> PlaceView.of(place, now.toEpochMilli()))
                        .toList());
    }

    /**
     * A place where bytes of the events may remain.
     *
     * @param content the part of the events that may be there
     * @param until time by which nothing of that part is left; null if there is no bound
     * @param setting the setting that bounds this time, or would
     * @param isClean true if this time has passed
     */
    public record PlaceView(
            String name, String content, @Nullable Instant until, String setting, boolean isClean) {

        static PlaceView of(RemainingPlace place, long nowMs) {
            return new PlaceView(
                    place.name(),
                    place.content(),
                    WireJson.time(place.untilMs()),
                    place.setting(),
                    place.isClean(nowMs));
        }
    }

    /** All erasures of a case, the newest first. */
    public record Page(List<ErasureView> erasures) {}
}
