package dev.ebb.runtime.kafka;

import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Rights of one principal on things of one kind.
 *
 * @param part the part that needs them
 * @param type kind of the things that are named
 * @param pattern true if each name is the whole name or the beginning of it
 * @param operations operations that are allowed; reading and writing include seeing that it is there
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
