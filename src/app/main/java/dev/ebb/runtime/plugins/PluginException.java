package dev.ebb.runtime.plugins;

import org.jspecify.annotations.Nullable;

/** Thrown when a class of a plugin cannot be had; the message names the fix. */
public final class PluginException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PluginException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
