package dev.ebb.erase;

import dev.ebb.domain.erase.EraseCase;
import dev.ebb.domain.erase.RemainingPlace;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
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

    /** Lists erasures. */
    public static final Read<Query, Page> LIST = new Read<>(
            "/v1/erase",
            "Lists erasures, with every place where bytes of their events may remain.",
            Query.class,
            Page.class);

    /** Shows the erasures of a case. */
    public static final Read<OfCase, Page> SHOW = new Read<>(
            "/v1/erase/{case}",
            "Shows the erasures of a case, and every place where bytes of their events may remain.",
            OfCase.class,
            Page.class);

    /** A selection of erasures. */
    public record Query(
            @Parameter("Only the erasure of that command.") @Nullable
            String commandId,

            TimeRange time) {}

    /** A selection of the erasures of a case. */
    public record OfCase(
            @Parameter(value = "The case of the erasure.", name = "case")
            String caseId,

            TimeRange time) {}

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
