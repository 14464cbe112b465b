package io.forewarn.core.engine;

/** A commit and what follows from its outcome. Exactly one of the two is called, once the outcome is known. */
interface Transaction {
    Commit commit();

    void committed(long nanos);

    void rejected(StoreException problem);
}
