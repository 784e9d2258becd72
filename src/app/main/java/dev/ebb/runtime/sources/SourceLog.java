package dev.ebb.runtime.sources;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.topology.source.SourceObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what happens to records of sources, and passes it on.
 *
 * @param next counts it
 */
public record SourceLog(SourceObserver next) implements SourceObserver {

    private static final Logger LOG = LoggerFactory.getLogger(SourceLog.class);

    @Override
    public void rejected(String source, RejectReason reason, String detail) {
        LOG.atDebug()
                .addKeyValue("source", source)
                .addKeyValue("reason", reason)
                .addKeyValue("detail", detail)
                .log("a record of a source is set aside");
        next.rejected(source, reason, detail);
    }

    @Override
    public void overtaken(String source) {
        next.overtaken(source);
    }

    @Override
    public void lost(String source, String at) {
        LOG.atError()
                .addKeyValue("source", source)
                .addKeyValue("record", at)
                .log("a tombstone overtook a record that is not on its topic any more");
        next.lost(source, at);
    }

    @Override
    public void renewed(String source, String topic) {
        LOG.atWarn()
                .addKeyValue("source", source)
                .addKeyValue("topic", topic)
                .log("the topic of a source was deleted and made anew, and is read from its beginning");
        next.renewed(source, topic);
    }
}
