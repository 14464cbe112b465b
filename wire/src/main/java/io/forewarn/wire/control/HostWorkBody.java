package io.forewarn.wire.control;

/**
 * Planned, scheduled or started work on a host.
 *
 * @param event one of its events; absent while it is only planned
 * @param type freeze, reboot, redeploy, preempt or terminate
 * @param status planned (a unit of a rollout whose turn has not come), waiting, scheduled or started
 * @param rollout the rollout it is part of, if any
 * @param notBefore when it is to start, unless it is approved earlier; absent once it has started, or if that is not known
 * @param machines number of machines on the host that it affects
 */
public record HostWorkBody(String event, String type, String status, String rollout, String notBefore, int machines) {}
