package io.forewarn.core.rules;

/** What a driver reports about a task. */
public enum DriverReport {
    DONE,
    FAILED,
    TIMED_OUT,
    /** In progress; it will report again. */
    RUNNING,
    /** The task is unknown to the driver: it may be started again. */
    UNKNOWN
}
