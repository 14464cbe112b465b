/** API tokens and the roles they give. The rules add and remove them, the control API asks for them. Pure. */
package io.forewarn.core.access;
