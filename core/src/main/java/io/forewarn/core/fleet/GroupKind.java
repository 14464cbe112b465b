package io.forewarn.core.fleet;

/** What holds a group's machines together. All kinds share their events; a single machine is alone. */
public enum GroupKind {
    CLOUD_SERVICE,
    AVAILABILITY_SET,
    SCALE_SET,
    SINGLE
}
