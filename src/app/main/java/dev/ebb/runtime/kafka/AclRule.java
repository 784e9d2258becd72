package dev.ebb.runtime.kafka;

import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Rights of one principal on resources of one kind.
 *
 * @param part the party that needs the rights
 * @param type kind of the named resources
 * @param pattern true if each name is a whole name or the beginning of one
 * @param operations allowed operations; reading and writing include describing
 * @param why purpose of the rights
 */
public record AclRule(
        AclPart part,
        ResourceType type,
        PatternType pattern,
        List<String> names,
        List<AclOperation> operations,
        String why) {

    public AclRule {
        names = List.copyOf(names);
        operations = List.copyOf(operations);
    }
}
