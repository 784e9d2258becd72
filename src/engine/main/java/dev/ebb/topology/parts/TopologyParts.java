package dev.ebb.topology.parts;

import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.serde.records.RecordWriter;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.observe.ClockWatch;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.policy.PolicyViews;
import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.topology.trash.TrashSource;

/**
 * Parts that the topology shares with the rest of the instance; all of them are thread-safe.
 *
 * @param reader reads events and policies
 * @param writer writes policies, audit records and reports
 * @param mirrorRows writes the rows of the SQL mirror
 * @param policies the policies in force, as this instance sees them
 * @param catchUp knows how much the topics held at the start, and whether all of it has been taken in
 * @param clock knows whether the clock of this instance may be trusted with deletions
 * @param copies finds copies of deleted events
 * @param trash reads the records in the trash
 * @param signer signs the checkpoints of the audit
 * @param sources the sources in force, and the targets of their deletes
 * @param observer is notified of the work of the tasks
 */
public record TopologyParts(
        RecordReader reader,
        RecordWriter writer,
        MirrorRows mirrorRows,
        PolicyViews policies,
        CatchUp catchUp,
        ClockWatch clock,
        Copies copies,
        TrashSource trash,
        NoteSigner signer,
        AcceptedSources sources,
        RetentionObserver observer) {}
