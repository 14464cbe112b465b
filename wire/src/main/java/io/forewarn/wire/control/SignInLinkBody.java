package io.forewarn.wire.control;

/**
 * The code of a link that signs a browser in.
 *
 * @param code a code that works once; the link is the server's address followed by /console/#sign-in= and the code
 * @param expiresIn how long it is valid
 */
public record SignInLinkBody(String code, String expiresIn) {}
