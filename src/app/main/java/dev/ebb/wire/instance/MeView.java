package dev.ebb.wire.instance;

import dev.ebb.wire.Meaning;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The caller as the instance knows it.
 *
 * @param name the name of its token; null where the API requires no tokens
 * @param routes the routes that the caller may use
 * @param secondPerson true if erasures, large changes and releases of holds need two people
 */
public record MeView(
        @Meaning("The name of the token or of the person; null where the API needs no tokens.") @Nullable
        String name,

        @Meaning("The roles, of viewer, operator, eraser, restorer and admin.")
        List<String> roles,

        @Meaning("True if the caller may see payloads.") boolean payloads,

        @Meaning("The routes that the roles may use, each as method and path, for example 'GET /v1/streams'.")
        List<String> routes,

        @Meaning("True if some acts need another person than the one who began them (api.second.person).")
        boolean secondPerson) {}
