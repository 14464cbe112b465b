package io.forewarn.core.fleet;

/** Lists the kinds of groups. The machines of a group share events in all kinds; a single machine has its own group. */
public enum GroupKind {
    CLOUD_SERVICE,
    AVAILABILITY_SET,
    SCALE_SET,
    SINGLE
}
