/**
 * Both ends of forwarding a request from a follower to the writer. A follower signs what it cannot decide and sends it
 * ({@link io.forewarn.server.forward.WriterForwarder}); the writer checks the signature and executes it
 * ({@link io.forewarn.server.forward.ForwardReceiver}), and its response names the commit it depends on. Used by {@code
 * cluster}, which knows the writer, and by {@code control}, which receives.
 */
package io.forewarn.server.forward;
