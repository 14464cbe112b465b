package io.forewarn.server.settings;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import io.forewarn.wire.control.SyntaxErrors;
import io.forewarn.wire.control.ValidationProblems;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a YAML settings file into dotted keys, with the line of each. */
final class ConfigFile {
    private final Path path;
    private final ValidationProblems validationProblems;
    private final Map<String, GivenValue> given = new LinkedHashMap<>();

    private ConfigFile(Path path, ValidationProblems validationProblems) {
        this.path = path;
        this.validationProblems = validationProblems;
    }

    static Map<String, GivenValue> read(Path path, ValidationProblems validationProblems) {
        ConfigFile file = new ConfigFile(path, validationProblems);
        try (InputStream in = Files.newInputStream(path);
                JsonParser parser = new YAMLFactory().createParser(in)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_OBJECT) {
                file.object("", parser);
            } else if (first != null
                    && !(first == JsonToken.VALUE_STRING && parser.getText().isBlank())) {
                validationProblems.add(parser.currentTokenLocation().getLineNr(), "expected keys, as in 'listen:'");
            }
        } catch (JsonProcessingException broken) {
            SyntaxErrors told = SyntaxErrors.of(broken);
            validationProblems.add(told.line(), told.sentence());
        } catch (NoSuchFileException missing) {
            throw new RefusedException(Problem.BAD_INPUT, "the settings file " + path + " does not exist");
        } catch (IOException unreadable) {
            throw new RefusedException(
                    Problem.BAD_INPUT, "the settings file " + path + " cannot be read: " + unreadable.getMessage());
        }
        return file.given;
    }

    private void object(String prefix, JsonParser in) throws IOException {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String key = prefix + in.currentName();
            int line = in.currentTokenLocation().getLineNr();
            switch (in.nextToken()) {
                case START_OBJECT -> object(key + ".", in);
                case START_ARRAY -> put(key, new GivenValue(items(key, in), true, line, origin(line)));
                case VALUE_NULL -> {}
                default -> put(key, new GivenValue(List.of(in.getText()), false, line, origin(line)));
            }
        }
    }

    private List<String> items(String key, JsonParser in) throws IOException {
        List<String> items = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (in.currentToken().isScalarValue()) {
                items.add(in.getText());
            } else {
                validationProblems.add(in.currentTokenLocation().getLineNr(), "'" + key + "' must be a list of texts");
                in.skipChildren();
            }
        }
        return items;
    }

    private void put(String key, GivenValue value) {
        if (given.put(key, value) != null) {
            validationProblems.add(value.line(), "'" + key + "' is given twice");
        }
    }

    private String origin(int line) {
        return path + " line " + line;
    }
}
