/**
 * Which machine is asking? One class for each way to know. The metadata endpoint comes in; the published fleet is asked.
 */
package io.forewarn.server.identity;
