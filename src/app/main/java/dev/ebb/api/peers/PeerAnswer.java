package dev.ebb.api.peers;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.StatusView;
import dev.ebb.wire.ProblemView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answer of another instance, or the reason why there is none.
 *
 * @param status the HTTP status; 0 if there is no answer
 * @param mediaType the type of the body; empty if there is none
 * @param retryAfter the value of {@code Retry-After}; null if there was none
 * @param failure the reason why there is no answer, as the end of a sentence; null if there is an answer
 * @param isAsked true if the instance was asked at all
 */
public record PeerAnswer(
        int status,
        String mediaType,
        @Nullable String retryAfter,
        byte[] body,
        @Nullable String failure,
        boolean isAsked) {

    static final String ANSWERED_BY = "Ebb-Answered-By";
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    static PeerAnswer of(int status, String mediaType, @Nullable String retryAfter, byte[] body) {
        return new PeerAnswer(status, mediaType, retryAfter, body, null, true);
    }

    static PeerAnswer failed(String reason) {
        return new PeerAnswer(0, "", null, new byte[0], reason, true);
    }

    /** Returns the missing answer of an instance that must not be asked. */
    static PeerAnswer notAsked(String reason) {
        return new PeerAnswer(0, "", null, new byte[0], reason, false);
    }

    public boolean isGood() {
        return status / 100 == 2;
    }

    /** Returns true if the instance does not keep the requested data, or no longer does. */
    boolean isElsewhere() {
        return status == ProblemKind.OTHER_INSTANCE.status();
    }

    boolean isNotReady() {
        return status == ProblemKind.NOT_READY.status();
    }

    /** Returns true if the answer is a problem of that kind. */
    boolean is(ProblemKind kind) {
        ProblemView problem = status == kind.status() ? problem() : null;
        return problem != null && kind.type().equals(problem.type());
    }

    /** Returns the refusal of an instance that is not ready. */
    NotReadyException notReady(String address) {
        ProblemView problem = problem();
        List<StatusView.RestoreView> restoring =
                problem == null || problem.restoring() == null ? List.of() : problem.restoring();
        return NotReadyException.moving(detail() + " (says the instance at " + address + ")", retry(), restoring);
    }

    /** Returns a description of the fault. */
    String detail() {
        ProblemView problem = problem();
        return problem == null || problem.detail() == null ? "HTTP " + status : problem.detail();
    }

    /** Passes the answer on to the caller of this instance. */
    void writeTo(Context ctx, String address) {
        ctx.status(status).header(ANSWERED_BY, address);
        if (!mediaType.isEmpty()) {
            ctx.contentType(mediaType);
        }
        if (retryAfter != null) {
            ctx.header("Retry-After", retryAfter);
        }
        ctx.result(body);
    }

    private Duration retry() {
        return retryAfter != null && retryAfter.matches("\\d{1,6}")
                ? Duration.ofSeconds(Long.parseLong(retryAfter))
                : RETRY_AFTER;
    }

    private @Nullable ProblemView problem() {
        return ApiJson.read(body, ProblemView.class);
    }
}
