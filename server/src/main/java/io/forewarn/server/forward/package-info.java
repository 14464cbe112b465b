/**
 * Both ends of forwarding a request from a follower to the writer. A follower signs what it cannot decide and sends it
 * ({@link io.forewarn.server.forward.WriterForwarder}); the writer checks the signature and hands it on
 * ({@link io.forewarn.server.forward.ForwardReceiver}), and its answer names the commit it depends on. Used by {@code cluster}, which knows
 * who writes, and by {@code control}, which receives.
 */
package io.forewarn.server.forward;
