/** API tokens and their roles. Used by the rules and the control API. */
package io.forewarn.core.access;
