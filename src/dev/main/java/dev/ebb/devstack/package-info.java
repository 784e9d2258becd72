/** The embedded default: broker, registry, Connect worker, PostgreSQL and the application as child processes. */
@NullMarked
package dev.ebb.devstack;

import org.jspecify.annotations.NullMarked;
