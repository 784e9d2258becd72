/** REST server: its connectors, its problem answers, and the OpenAPI document of all routes. */
@NullMarked
package dev.ebb.api;

import org.jspecify.annotations.NullMarked;
