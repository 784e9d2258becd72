package dev.ebb.secured;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/** Kafka's own authorizer, with a memory of all that it has allowed. The broker makes it, so the memory is static. */
public final class RecordingAuthorizer extends StandardAuthorizer {

    private static final Set<Deed> ALLOWED = ConcurrentHashMap.newKeySet();

    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext context, List<Action> actions) {
        List<AuthorizationResult> results = super.authorize(context, actions);
        for (int i = 0; i < actions.size(); i++) {
            if (results.get(i) == AuthorizationResult.ALLOWED) {
                ALLOWED.add(Deed.of(context.principal().getName(), actions.get(i)));
            }
        }
        return results;
    }

    /** Returns the rights without which everything that the user did would have been allowed all the same. */
    static List<AclBinding> unused(String user, List<AclBinding> rights) {
        List<Deed> deeds =
                ALLOWED.stream().filter(deed -> deed.user().equals(user)).toList();
        return rights.stream()
                .filter(right -> deeds.stream()
                        .filter(deed -> deed.isAllowedBy(right))
                        .allMatch(deed ->
                                rights.stream().filter(other -> other != right).anyMatch(deed::isAllowedBy)))
                .toList();
    }

    /** A thing that a user has done. */
    private record Deed(String user, AclOperation operation, ResourceType type, String name) {

        static Deed of(String user, Action action) {
            return new Deed(
                    user,
                    action.operation(),
                    action.resourcePattern().resourceType(),
                    action.resourcePattern().name());
        }

        boolean isAllowedBy(AclBinding right) {
            boolean isNamed = right.pattern().patternType() == PatternType.PREFIXED
                    ? name.startsWith(right.pattern().name())
                    : name.equals(right.pattern().name());
            return isNamed
                    && type == right.pattern().resourceType()
                    && covers(right.entry().operation());
        }

        /** As Kafka has it: reading, writing, deleting and altering include describing. */
        private boolean covers(AclOperation given) {
            return given == operation
                    || switch (operation) {
                        case DESCRIBE ->
                            given == AclOperation.READ
                                    || given == AclOperation.WRITE
                                    || given == AclOperation.DELETE
                                    || given == AclOperation.ALTER;
                        case DESCRIBE_CONFIGS -> given == AclOperation.ALTER_CONFIGS;
                        default -> false;
                    };
        }
    }
}
