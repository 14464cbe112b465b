/** Rollouts: what is requested, their progress, and their plan. */
package io.forewarn.core.rollout;
