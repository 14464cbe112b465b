package io.forewarn.wire.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.forewarn.core.NameRules;
import io.forewarn.core.Problem;
import io.forewarn.core.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Reads and writes the JSON of the control API. Absent values are left out. */
public final class Json {
    /** Made at its first use: most commands only read answers, which do not need it. */
    private static final class Binding {
        static final ObjectMapper MAPPER = JsonMapper.builder(AnswerReader.FACTORY)
                .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
                .build();
    }

    private Json() {}

    public static byte[] write(Object body) {
        try {
            return Binding.MAPPER.writeValueAsBytes(body);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Parses a request body strictly: refuses any problem and says where it is. */
    public static <T> T request(Class<T> type, byte[] bytes) {
        try {
            T body = Binding.MAPPER.readValue(bytes, type);
            if (body == null) {
                throw new RefusedException(Problem.BAD_INPUT, "the body is null; it must be a JSON object");
            }
            return body;
        } catch (UnrecognizedPropertyException unknown) {
            throw new RefusedException(Problem.BAD_INPUT, sentence(unknown));
        } catch (JsonMappingException wrong) {
            throw new RefusedException(
                    Problem.BAD_INPUT,
                    "the body does not fit this path: " + where(wrong) + " must be " + wanted(wrong));
        } catch (IOException broken) {
            throw new RefusedException(Problem.BAD_INPUT, "the body is not JSON: " + first(broken));
        }
    }

    /** Parses a response, a record, leniently: a newer server may send more members. */
    public static <T extends Record> T answer(Class<T> type, byte[] bytes) throws IOException {
        return AnswerReader.one(type, bytes);
    }

    /** Parses a message from another node leniently: it may run a newer release. */
    public static <T> T message(Class<T> type, byte[] bytes) {
        try {
            return Binding.MAPPER
                    .readerFor(type)
                    .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(bytes);
        } catch (IOException broken) {
            throw new RefusedException(Problem.BAD_INPUT, "this is not a message from a node: " + first(broken));
        }
    }

    /**
     * Passes on the items of a long response one by one.
     *
     * @return the members after the list, as JSON unless they are single values
     * @throws IOException also if the response has no list or is cut off
     */
    public static <T extends Record> Map<String, String> each(Class<T> type, InputStream answer, Consumer<T> consumer)
            throws IOException {
        return AnswerReader.each(type, answer, consumer);
    }

    /** The member names of a JSON object; none for an empty body. */
    public static Set<String> members(byte[] object) {
        try {
            Set<String> names = new LinkedHashSet<>();
            Binding.MAPPER.readTree(object).fieldNames().forEachRemaining(names::add);
            return names;
        } catch (IOException malformed) {
            throw new RefusedException(Problem.BAD_INPUT, "the body is not a JSON object");
        }
    }

    public static ObjectMapper mapper() {
        return Binding.MAPPER;
    }

    private static String sentence(UnrecognizedPropertyException unknown) {
        Collection<Object> known = unknown.getKnownPropertyIds();
        var names = known.stream().map(Object::toString).toList();
        String hint = NameRules.nearest(unknown.getPropertyName(), names)
                .map(n -> "did you mean '" + n + "'?")
                .orElse("known fields are " + String.join(", ", names));
        return "the body has an unknown field '" + unknown.getPropertyName() + "'; " + hint;
    }

    private static String where(JsonMappingException wrong) {
        return wrong.getPath().isEmpty() ? "it" : "'" + wrong.getPath().get(0).getFieldName() + "'";
    }

    /** What would be right there, in terms of JSON; the library's message names Java classes. */
    private static String wanted(JsonMappingException wrong) {
        Class<?> type = wrong instanceof MismatchedInputException mismatched ? mismatched.getTargetType() : null;
        if (type == null) {
            return "something else";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "a list";
        }
        if (type == String.class) {
            return "a text";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        return Number.class.isAssignableFrom(type) || type.isPrimitive() ? "a whole number" : "an object";
    }

    private static String first(IOException broken) {
        if (broken instanceof StreamConstraintsException) {
            return "it is nested too deeply, or a text in it is too long";
        }
        String message =
                broken instanceof JsonProcessingException json ? json.getOriginalMessage() : broken.getMessage();
        return message.lines().findFirst().orElse("unreadable");
    }
}
