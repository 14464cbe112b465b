package io.forewarn.wire.control;

/**
 * Something whose name contains the text of a search.
 *
 * @param kind machine, group, host, event or rollout
 * @param tenant its tenant; absent for hosts and rollouts
 * @param name its name; for an event, its id
 * @param detail what else helps to recognise it, such as the group and host of a machine
 */
public record SearchResultBody(String kind, String tenant, String name, String detail) {}
