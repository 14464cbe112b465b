package io.forewarn.core;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shortens user input that is repeated in error messages, which people read and the audit log stores. None of our own
 * messages has words or lines this long, or so many lines.
 */
final class MessageShortener {
    private static final int LONGEST_WORD = 200;
    private static final int LONGEST_LINE = 1500;
    private static final int MOST_LINES = 1000;
    private static final int LAST = 500;
    private static final String GAP = "…";
    private static final String CLOSING = "'\";:,.)";

    private MessageShortener() {}

    static String shortened(String sentence) {
        if (sentence == null || sentence.length() <= LONGEST_WORD) {
            return sentence;
        }
        List<String> first = sentence.lines().limit(MOST_LINES + 1L).toList();
        Stream<String> shown = first.stream().limit(MOST_LINES).map(MessageShortener::line);
        return first.size() == 1
                ? line(sentence)
                : Stream.concat(shown, first.size() > MOST_LINES ? Stream.of(GAP) : Stream.empty())
                        .collect(Collectors.joining("\n"));
    }

    /** The suggestion is at the end, so the end is kept. */
    private static String line(String line) {
        StringBuilder words = new StringBuilder();
        int at = 0;
        while (at < line.length()) {
            int end = at;
            while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
                end++;
            }
            word(words, line, at, end);
            at = end;
            while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
                words.append(line.charAt(at++));
            }
        }
        if (words.length() > LONGEST_LINE) {
            words.replace(whole(words, LONGEST_LINE - LAST), whole(words, words.length() - LAST), GAP);
        }
        return words.toString();
    }

    private static void word(StringBuilder words, String line, int from, int to) {
        if (to - from <= LONGEST_WORD) {
            words.append(line, from, to);
            return;
        }
        int closing = to;
        while (to - closing < 3 && CLOSING.indexOf(line.charAt(closing - 1)) >= 0) {
            closing--;
        }
        words.append(line, from, whole(line, from + LONGEST_WORD)).append(GAP).append(line, closing, to);
    }

    /** Avoids splitting a character. */
    private static int whole(CharSequence text, int at) {
        return Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
    }
}
