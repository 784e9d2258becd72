/** The retention model in plain Java: no clock, no Kafka, no JSON, no logging. */
@NullMarked
package dev.ebb.domain;

import org.jspecify.annotations.NullMarked;
