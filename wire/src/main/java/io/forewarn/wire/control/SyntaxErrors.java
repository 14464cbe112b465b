package io.forewarn.wire.control;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.CharConversionException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/** Translates parser errors into messages for the author of a YAML or JSON file. */
public record SyntaxErrors(int line, String sentence) {
    private static final String UNCLOSED = "it ends unexpectedly; a bracket or a quote is not closed";
    private static final int LONGEST = 200;
    /** The useless end of some of the library's messages. */
    private static final String CLASS_NAME = "`?\\b(?:[a-z][a-z0-9]*\\.){2,}[A-Z][A-Za-z0-9$]*(?:@[0-9a-f]+)?`?";

    // Messages of the YAML library, and what they mean for the author of a file.
    private static final Map<String, String> MEANINGS = new LinkedHashMap<>();

    static {
        MEANINGS.put("stream end", UNCLOSED);
        MEANINGS.put("end of stream", UNCLOSED);
        MEANINGS.put("TAB", "there is a tab where spaces are expected; YAML is indented with spaces");
        MEANINGS.put("block sequence start", "there is a list where a key is expected; check the indentation");
        MEANINGS.put("block mapping start", "a key is not below the one before it; check the indentation");
        MEANINGS.put("but found '-'", "there is a '-' where a key is expected; check the indentation");
        MEANINGS.put("mapping values are not allowed", "a second ':' in one line; put a text with ': ' in quotes");
        MEANINGS.put("could not find expected ':'", "a key without its ':'");
        MEANINGS.put("expected ',' or '}'", "a ',' or '}' is expected here");
        MEANINGS.put("expected ',' or ']'", "a ',' or ']' is expected here");
        MEANINGS.put("expected <block end>", "a key is expected here; check the indentation");
    }

    public static SyntaxErrors of(JsonProcessingException failure) {
        JsonLocation at = failure.getLocation();
        int line = at == null ? 0 : at.getLineNr();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ReaderException || cause instanceof CharConversionException) {
                return binary(line);
            }
            if (cause instanceof MarkedYAMLException yaml) {
                return of(yaml, line);
            }
        }
        String problem = failure.getOriginalMessage();
        if (problem.contains("Invalid UTF-8")) {
            return binary(line);
        }
        if (failure instanceof JsonEOFException) {
            return new SyntaxErrors(line, "cannot be read: " + UNCLOSED);
        }
        if (failure instanceof StreamConstraintsException) {
            return new SyntaxErrors(line, "cannot be read: it is nested too deeply, or a text in it is too long");
        }
        return new SyntaxErrors(line, "cannot be read as JSON: " + first(problem));
    }

    private static SyntaxErrors binary(int line) {
        return new SyntaxErrors(line, "cannot be read: it is not text in UTF-8");
    }

    private static SyntaxErrors of(MarkedYAMLException yaml, int line) {
        String problem = yaml.getProblem() == null ? "not YAML" : yaml.getProblem();
        String meaning = MEANINGS.entrySet().stream()
                .filter(m -> problem.contains(m.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(first(problem));
        Mark at = yaml.getProblemMark();
        Mark begun = yaml.getContextMark();
        String where = begun != null && at != null && begun.getLine() != at.getLine()
                ? " (in the block that begins in line " + (begun.getLine() + 1) + ")"
                : "";
        return new SyntaxErrors(at == null ? line : at.getLine() + 1, "cannot be read as YAML: " + meaning + where);
    }

    private static String first(String problem) {
        String first = problem.lines()
                .findFirst()
                .orElse("")
                .replaceAll(" \\(code \\d+\\)", "")
                .replaceAll(CLASS_NAME, "something");
        return first.length() <= LONGEST ? first : first.substring(0, LONGEST) + "…";
    }
}
