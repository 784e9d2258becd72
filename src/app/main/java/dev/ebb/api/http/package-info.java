/** Kit for routes and resources: parameters, bodies, JSON and problems, without anything of retention. */
@NullMarked
package dev.ebb.api.http;

import org.jspecify.annotations.NullMarked;
