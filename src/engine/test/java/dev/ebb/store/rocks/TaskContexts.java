package dev.ebb.store.rocks;

import java.io.File;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;

/** Task contexts as a store sees them. */
final class TaskContexts {

    private TaskContexts() {}

    static StateStoreContext in(File taskFolder, String guarantee, SharedMemory memory) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
        if (memory != null) {
            settings.put(SharedMemory.SETTING, memory);
        }
        return new MockProcessorContext<>(settings, new TaskId(0, 0), taskFolder).getStateStoreContext();
    }
}
