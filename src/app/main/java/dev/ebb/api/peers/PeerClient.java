package dev.ebb.api.peers;

import dev.ebb.api.http.ProblemKind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Asks other instances over connections that stay open. Thread-safe. */
public final class PeerClient {

    /**
     * Fewer than the server has threads: requests that wait for another instance must leave threads for the questions
     * of others, or two instances could wait for each other.
     */
    private static final int MOST_AT_ONCE = 100;

    private static final String ALIVE = "/health/live";

    private static final String NO_SECRET =
            "api.peer.secret is not set, and without it only instances on the same machine are asked; set the same"
                    + " api.peer.secret (or a file with it, api.peer.secret.file) on all instances";
    private static final String WRONG_SECRET =
            "it does not know the secret of this instance; set the same api.peer.secret on all instances";

    private final PeerSettings settings;
    private final PeerAccess access;
    private final HttpClient http;
    private final Semaphore permits = new Semaphore(MOST_AT_ONCE);
    private final SilentPeers silent;

    public PeerClient(PeerSettings settings, PeerAccess access) {
        this.settings = settings;
        this.access = access;
        HttpClient.Builder client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(settings.connect());
        SSLContext tls = settings.tls();
        this.http = tls == null ? client.build() : client.sslContext(tls).build();
        this.silent = new SilentPeers(this::isThere, settings.answer());
    }

    /**
     * Returns the answer, or the reason why there is none; the future never fails, and is complete when its time is
     * over. After an instance has let a question wait for that long, further ones end at once until it is back.
     */
    public CompletableFuture<PeerAnswer> ask(String address, PeerQuestion question) {
        return silent.unlessSilent(address, () -> send(address, question));
    }

    private CompletableFuture<PeerAnswer> send(String address, PeerQuestion question) {
        URI target = target(address, question.target());
        @Nullable String pass = access.pass(String.valueOf(target.getHost()));
        if (pass == null) {
            return CompletableFuture.completedFuture(PeerAnswer.notAsked(NO_SECRET));
        }
        Duration patience = question.patience() == null ? settings.answer() : question.patience();
        HttpRequest request = request(target, question, pass, patience);
        if (!permits.tryAcquire()) {
            String busy = "this instance already waits for " + MOST_AT_ONCE + " answers of others; ask again";
            return CompletableFuture.completedFuture(PeerAnswer.failed(busy));
        }
        var sent = http.sendAsync(request, BodyHandlers.ofByteArray());
        return sent.copy().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).handle((response, failure) -> {
            permits.release();
            // The client's time limit ends with the headers, and a body may never come.
            sent.cancel(true);
            if (isTimeOut(failure)) {
                silent.timedOut(address);
            }
            return response == null ? PeerAnswer.failed(reason(failure, patience)) : answer(response);
        });
    }

    /** What an address says to a question that any caller may ask. */
    public enum Sign {
        /** Something answered. */
        ANSWER,
        /** The machine says that nothing listens there. */
        REFUSAL,
        /** Nothing was heard in time, or the machine cannot be found or reached. */
        SILENCE
    }

    /** Looks for a sign of life, and returns when there is one or the usual time for an answer is over. */
    public Sign sign(String address) {
        URI target = target(address, ALIVE);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(target.getHost(), target.getPort()), (int)
                    settings.answer().toMillis());
        } catch (ConnectException e) {
            return Sign.REFUSAL;
        } catch (IOException e) {
            return Sign.SILENCE;
        }
        return isThere(address, settings.answer()).join() ? Sign.ANSWER : Sign.SILENCE;
    }

    /** Returns true as soon as the address answers anything, and false after that time. */
    private CompletableFuture<Boolean> isThere(String address, Duration limit) {
        HttpRequest request =
                HttpRequest.newBuilder(target(address, ALIVE)).timeout(limit).build();
        var sent = http.sendAsync(request, BodyHandlers.discarding());
        return sent.copy().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).handle((response, failure) -> {
            sent.cancel(true);
            return response != null;
        });
    }

    private URI target(String address, String path) {
        return URI.create(settings.scheme() + "://" + address + path);
    }

    private static HttpRequest request(URI target, PeerQuestion question, String pass, Duration patience) {
        byte[] body = question.body();
        BodyPublisher publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        HttpRequest.Builder request = HttpRequest.newBuilder(target)
                .method(question.method(), publisher)
                .timeout(patience)
                .header(PeerAccess.HEADER, pass);
        question.headers().forEach(request::header);
        return request.build();
    }

    private static PeerAnswer answer(HttpResponse<byte[]> response) {
        PeerAnswer answer = PeerAnswer.of(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                response.headers().firstValue("Retry-After").orElse(null),
                response.body());
        return answer.is(ProblemKind.PEER_REFUSED) ? PeerAnswer.failed(WRONG_SECRET) : answer;
    }

    private static @Nullable Throwable cause(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static boolean isTimeOut(@Nullable Throwable failure) {
        Throwable cause = cause(failure);
        return cause instanceof TimeoutException || cause instanceof HttpTimeoutException;
    }

    private static String reason(@Nullable Throwable failure, Duration patience) {
        Throwable cause = cause(failure);
        if (cause instanceof HttpConnectTimeoutException) {
            return "it cannot be reached in time";
        }
        if (isTimeOut(failure)) {
            return "it did not answer within " + patience.toMillis() + " ms";
        }
        if (cause instanceof ConnectException) {
            return "nothing listens there";
        }
        return "the connection failed" + (cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage());
    }
}
