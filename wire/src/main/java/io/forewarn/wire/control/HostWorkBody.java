package io.forewarn.wire.control;

/**
 * Planned, scheduled or started work on a host.
 *
 * @param event one of its events; absent while it is only planned
 * @param type freeze, reboot, redeploy, preempt or terminate
 * @param status planned (a unit of a rollout whose event is not shown yet), waiting, scheduled or started
 * @param rollout the rollout it is part of, if any
 * @param notBefore when it starts unless it is approved earlier; absent if it has started or the time is not known
 * @param machines number of affected machines on the host
 */
public record HostWorkBody(String event, String type, String status, String rollout, String notBefore, int machines) {}
