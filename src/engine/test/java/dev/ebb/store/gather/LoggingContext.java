package dev.ebb.store.gather;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;
import org.jspecify.annotations.Nullable;

/** The context of a task as a store sees it that writes its changelog itself. */
public final class LoggingContext {

    /** Timestamp of the record that the task takes in. */
    static final long TIMESTAMP = 1234;

    private static final ProcessorRecordContext RECORD =
            new ProcessorRecordContext(TIMESTAMP, 0, 0, "events", new RecordHeaders());

    private LoggingContext() {}

    /** Takes a record of the changelog. */
    @FunctionalInterface
    public interface Log {
        void add(byte[] key, byte @Nullable [] value, long timestampMs);
    }

    /**
     * @param context answers everything else
     * @param registered takes the callback of the store
     * @param log takes the records of the changelog
     */
    public static StateStoreContext of(
            StateStoreContext context, Consumer<BatchingStateRestoreCallback> registered, Log log) {
        return (StateStoreContext) Proxy.newProxyInstance(
                LoggingContext.class.getClassLoader(),
                // The first one declares the methods that both have, and the context has no others.
                new Class<?>[] {StateStoreContext.class, InternalProcessorContext.class},
                (proxy, method, args) -> answer(context, registered, log, method, args));
    }

    private static Object answer(
            StateStoreContext context,
            Consumer<BatchingStateRestoreCallback> registered,
            Log log,
            Method method,
            Object[] args)
            throws ReflectiveOperationException {
        switch (method.getName()) {
            case "register":
                registered.accept((BatchingStateRestoreCallback) args[1]);
                return null;
            case "logChange":
                log.add(((Bytes) args[1]).get(), (byte[]) args[2], (long) args[3]);
                return null;
            case "changelogFor":
                return args[0] + "-changelog";
            case "recordContext":
                return RECORD;
            default:
                return method.invoke(context, args);
        }
    }
}
