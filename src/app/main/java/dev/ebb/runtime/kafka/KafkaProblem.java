package dev.ebb.runtime.kafka;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.TimeoutException;

/** Describes problems with a broker in the words of a user rather than of the client's author. Stateless. */
public final class KafkaProblem {

    /** Text such as {@code Call(callName=listNodes, deadlineMs=…, tries=1, nextAllowedTryMs=…)}. */
    private static final Pattern INTERNAL = Pattern.compile("\\b[A-Z]\\w*\\(\\w+=");

    /** {@code org.apache.kafka.common.errors.TimeoutException: }. */
    private static final Pattern CLASS = Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z]\\w*(?:Exception|Error):? ?");

    private static final String NO_ANSWER = "it did not answer in time";

    private KafkaProblem() {}

    /** Returns the problem as the end of a sentence about the broker. */
    public static String text(Throwable failure) {
        Throwable problem = root(failure);
        if (problem instanceof TimeoutException) {
            return NO_ANSWER;
        }
        if (problem instanceof DisconnectException || problem instanceof NetworkException) {
            return "the connection to it broke";
        }
        String message = problem.getMessage() == null
                ? ""
                : CLASS.matcher(problem.getMessage()).replaceAll("").strip();
        if (message.isEmpty()) {
            return "it gave no reason";
        }
        return INTERNAL.matcher(message).find() ? NO_ANSWER : message;
    }

    /**
     * Returns a refusal with its remedy, as the end of a sentence about the broker.
     *
     * @param failure one for which {@link #isRefusal} is true
     */
    public static String refusal(Throwable failure) {
        return root(failure) instanceof AuthenticationException
                ? "does not accept the login: " + text(failure)
                        + ". 'kafka.security.protocol', 'kafka.sasl.*' and 'kafka.ssl.*' say who the caller is"
                : "does not allow it: " + text(failure) + ". 'ebb acls print' lists the rights that are needed";
    }

    /** Returns true if the broker answered, and does not know the caller or denies the request. */
    public static boolean isRefusal(Throwable failure) {
        Throwable problem = root(failure);
        return problem instanceof AuthenticationException || problem instanceof AuthorizationException;
    }

    /**
     * Returns the cause of a failure that only wraps it, or that prevented the creation of a client; else the failure
     * itself.
     */
    private static Throwable root(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean isWrapper = failure instanceof ExecutionException
                || failure instanceof CompletionException
                || cause instanceof ConfigException
                || (failure.getClass() == KafkaException.class && cause instanceof KafkaException);
        return isWrapper && cause != null ? root(cause) : failure;
    }
}
