/**
 * The fault suite: real processes are killed, paused, filled up and misled while events come and go, and after each fault
 * an independent oracle says whether stores, SQL and audit are what they must be. Run by {@code mvn verify -Pfaults}.
 */
package dev.ebb.faults;
