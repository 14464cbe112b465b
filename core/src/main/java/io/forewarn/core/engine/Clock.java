package io.forewarn.core.engine;

import io.forewarn.core.Moment;

/** Service time. Only {@code boot} makes a real one. */
public interface Clock {
    Moment now();
}
