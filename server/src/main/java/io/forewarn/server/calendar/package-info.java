/** The iCalendar feed of planned and recent work. Called by the control API; reads the published state and the history. */
package io.forewarn.server.calendar;
