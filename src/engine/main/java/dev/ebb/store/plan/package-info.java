/** The lists of events that plans name, kept until they are carried out or expire. */
@NullMarked
package dev.ebb.store.plan;

import org.jspecify.annotations.NullMarked;
