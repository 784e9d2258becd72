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
        @Meaning("The name of the token; null where the API needs no tokens.") @Nullable
        String name,

        @Meaning("The role: viewer, operator, eraser, restorer or admin.")
        String role,

        @Meaning("True if the caller may see payloads.") boolean payloads,

        @Meaning("The routes that the role may use, each as method and path, for example 'GET /v1/streams'.")
        List<String> routes) {}
