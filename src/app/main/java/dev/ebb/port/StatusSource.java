package dev.ebb.port;

import java.util.Collection;
import java.util.Map;

/** Reports the status of the instance. Thread-safe; answers from memory and never waits for another system. */
public interface StatusSource {

    StatusView status();

    /**
     * Returns the contents of the streams of each namespace in these partitions.
     *
     * @throws NotReadyException while one of these partitions restores
     * @throws OtherInstanceException if another instance keeps one of these partitions
     */
    Map<String, StatusView.NamespaceView> namespaces(Collection<Integer> partitions);
}
