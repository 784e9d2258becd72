/** People whom an OpenID Connect issuer knows: their tokens, their roles, and the login of the console. */
@NullMarked
package dev.ebb.api.oidc;

import org.jspecify.annotations.NullMarked;
