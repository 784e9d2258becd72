/** Resources for policies, files of policies and holds, and changes that the brake holds back. */
@NullMarked
package dev.ebb.api.policies;

import org.jspecify.annotations.NullMarked;
