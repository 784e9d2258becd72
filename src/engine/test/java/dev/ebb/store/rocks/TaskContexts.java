package dev.ebb.store.rocks;

import java.io.File;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;

/** Task contexts as a store sees them. */
final class TaskContexts {

    private TaskContexts() {}

    static StateStoreContext in(File taskFolder, String guarantee, SharedMemory memory) {
        return in(taskFolder, guarantee, memory, new CommittedOffsets());
    }

    static StateStoreContext in(File taskFolder, String guarantee, SharedMemory memory, CommittedOffsets offsets) {
        Properties settings = new Properties();
        settings.put(CommittedOffsets.SETTING, offsets);
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
        if (memory != null) {
            settings.put(SharedMemory.SETTING, memory);
        }
        return new MockProcessorContext<>(settings, new TaskId(0, 0), taskFolder).getStateStoreContext();
    }

    /** The context, which adds the callback of a store to those given. */
    static StateStoreContext capturing(StateStoreContext context, List<BatchingStateRestoreCallback> callbacks) {
        return (StateStoreContext) Proxy.newProxyInstance(
                StateStoreContext.class.getClassLoader(),
                new Class<?>[] {StateStoreContext.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("register")) {
                        callbacks.add((BatchingStateRestoreCallback) args[1]);
                        return null;
                    }
                    return method.invoke(context, args);
                });
    }
}
