/** Chromium, driven by its own protocol. */
@NullMarked
package dev.ebb.browser;

import org.jspecify.annotations.NullMarked;
