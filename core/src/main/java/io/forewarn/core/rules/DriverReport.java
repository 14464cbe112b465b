package io.forewarn.core.rules;

/** What a driver reports about a task. */
public enum DriverReport {
    DONE,
    FAILED,
    TIMED_OUT,
    /** Still at it; it will report again. */
    RUNNING,
    /** Never heard of it: it may be started again. */
    UNKNOWN
}
