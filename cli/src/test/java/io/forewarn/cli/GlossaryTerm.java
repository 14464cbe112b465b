package io.forewarn.cli;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A word that users read, and what it means.
 *
 * @param meaning one plain sentence
 * @param retired words that must not be used for it
 * @param misuse matches the retired words in the retired meaning; null if a machine cannot tell
 * @param sample a sentence that misuse must find
 */
record GlossaryTerm(String term, String meaning, List<String> retired, Pattern misuse, String sample) {
    static GlossaryTerm of(String term, String meaning) {
        return new GlossaryTerm(term, meaning, List.of(), null, null);
    }

    GlossaryTerm not(String... words) {
        return new GlossaryTerm(term, meaning, List.of(words), misuse, sample);
    }

    /** @param regex matched against one line in lower case, words of names separated */
    GlossaryTerm found(String regex, String example) {
        return new GlossaryTerm(term, meaning, retired, Pattern.compile(regex), example);
    }
}
