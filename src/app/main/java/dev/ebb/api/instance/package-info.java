/** Resources for the instance itself: status, instances of the application, departure. */
@NullMarked
package dev.ebb.api.instance;

import org.jspecify.annotations.NullMarked;
