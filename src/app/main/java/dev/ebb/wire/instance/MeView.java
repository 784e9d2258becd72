package dev.ebb.wire.instance;

import dev.ebb.wire.Meaning;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The caller as the instance knows it.
 *
 * @param name the name of its token; null where the API requires no tokens
 * @param routes the routes that the caller may use
 */
public record MeView(
        @Meaning("The name of the token; null where no tokens are asked for.") @Nullable
        String name,

        @Meaning("The role: viewer, operator, eraser or admin.")
        String role,

        @Meaning("True if payloads are shown to the caller.")
        boolean payloads,

        @Meaning("The routes that the role may use, as method and path, for example 'GET /v1/streams'.")
        List<String> routes) {}
