/** The one reading of moments, as people, files and records write them (O-22). */
@NullMarked
package dev.ebb.domain.time;

import org.jspecify.annotations.NullMarked;
