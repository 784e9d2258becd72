package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.Answers;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes an instance with a fixed name from its group after Kafka Streams has ended by itself, which does not leave
 * the group. Until the removal, or until the session times out, no other instance gets its partitions.
 */
public final class GroupExit {

    private static final Logger LOG = LoggerFactory.getLogger(GroupExit.class);

    private final Admin admin;
    private final String group;
    private final Pattern members;

    /**
     * @param admin stays open
     * @param instance the fixed name, from which Kafka Streams makes a name for each of its threads
     */
    public GroupExit(Admin admin, String group, String instance) {
        this.admin = admin;
        this.group = group;
        this.members = Pattern.compile(Pattern.quote(instance) + "-\\d+");
    }

    /** Tries to leave; after a failure, the broker removes the instance when its session times out. */
    public void leave() {
        try {
            List<MemberToRemove> ours = Answers.of(
                            admin.describeConsumerGroups(List.of(group)).all())
                    .values()
                    .stream()
                    .flatMap(described -> described.members().stream())
                    .flatMap(member -> member.groupInstanceId().stream())
                    .filter(name -> members.matcher(name).matches())
                    .map(MemberToRemove::new)
                    .toList();
            if (!ours.isEmpty()) {
                Answers.of(admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions(ours))
                        .all());
            }
        } catch (KafkaException e) {
            LOG.atWarn().setCause(e).log("the group is not left; others take over when the session has timed out");
        }
    }
}
