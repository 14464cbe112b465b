package io.forewarn.wire.control;

import java.util.Map;

/**
 * What a machine would read now.
 *
 * @param incarnation incarnation of the document
 * @param documents the document for each api-version, byte for byte
 */
public record MachineDocumentsBody(long incarnation, Map<String, String> documents) {}
