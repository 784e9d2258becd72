/** Tools for routes and resources: parameters, bodies, JSON and problems; nothing here knows retention. */
@NullMarked
package dev.ebb.api.http;

import org.jspecify.annotations.NullMarked;
