package dev.ebb.instance;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.wire.read.Read;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The instances of the application.
 *
 * @param instances the instances that answer, those that are known and do not, and members of the group of which nothing
 *     else is known, by address
 */
public record GroupView(List<InstanceView> instances) {

    /** Lists the instances. */
    public static final Read<Read.All, GroupView> LIST = new Read<>(
            "/v1/group",
            "Lists the instances: their partitions and copies, and whether they answer.",
            Read.All.class,
            GroupView.class);

    /**
     * One instance.
     *
     * @param instance host and port of its API; empty if not known
     * @param member its fixed name in the group ({@code group.instance.id}); null if it has none
     * @param state the state of Kafka Streams, for example RUNNING; NO_ANSWER if the instance does not answer
     * @param partitions the partitions that it keeps
     * @param copies partitions of which it has a copy
     * @param startedAt time at which its process started; null if it does not answer
     * @param lastHeartbeat time of its last sign to the broker, by the clock of the broker; null if there was none in the
     *     last minutes
     * @param problem reason why it does not answer; left out if it does
     */
    public record InstanceView(
            String instance,
            @Nullable String member,
            String state,
            List<Integer> partitions,
            List<CopyView> copies,
            @Nullable Instant startedAt,
            @Nullable Instant lastHeartbeat,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String problem) {

        static final String NO_ANSWER = "NO_ANSWER";

        InstanceView heard(@Nullable Instant at) {
            return new InstanceView(instance, member, state, partitions, copies, startedAt, at, problem);
        }

        /** Returns true if this id, which a caller gave, means the instance. */
        boolean isCalled(String id) {
            return id.equals(member) || id.equals(instance);
        }
    }

    /**
     * A copy of a partition that another instance keeps.
     *
     * @param lagRecords the number of records by which it is behind; null if not known
     */
    public record CopyView(int partition, @Nullable Long lagRecords) {}
}
