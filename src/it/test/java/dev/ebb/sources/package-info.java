/** Half an hour of a foreign application whose tables are under retention, with kills: the profile {@code sources}. */
package dev.ebb.sources;
