/** The web console in a real browser, driven as a person would. */
package io.forewarn.acceptance.console;
