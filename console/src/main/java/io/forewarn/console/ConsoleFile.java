package io.forewarn.console;

/**
 * One file of the console, as a browser gets it.
 *
 * @param type its media type
 * @param gzip the same bytes compressed; null if that saves nothing
 * @param tag identifies its content, as an entity tag without quotes
 * @param lasting whether its address changes with its content, so that it can be cached for good
 */
public record ConsoleFile(String type, byte[] bytes, byte[] gzip, String tag, boolean lasting) {}
