/** JSON and YAML for policies, holds, commands and events. */
@NullMarked
package dev.ebb.serde.text;

import org.jspecify.annotations.NullMarked;
