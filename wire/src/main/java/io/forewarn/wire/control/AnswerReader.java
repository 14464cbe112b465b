package io.forewarn.wire.control;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads answers into records for the commands, leniently: a newer server may send more members. It uses the streaming parser
 * alone, because setting up data binding takes longer than most commands run.
 */
final class AnswerReader {
    static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(20).build())
            .build();

    /** How to make a record of one type. */
    private record Shape(Constructor<?> constructor, Type[] types, Map<String, Integer> places) {
        static Shape of(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] raw = new Class<?>[components.length];
            Type[] types = new Type[components.length];
            Map<String, Integer> places = new HashMap<>();
            for (int i = 0; i < components.length; i++) {
                raw[i] = components[i].getType();
                types[i] = components[i].getGenericType();
                places.put(components[i].getName(), i);
            }
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(raw);
                constructor.setAccessible(true);
                return new Shape(constructor, types, places);
            } catch (NoSuchMethodException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    private final JsonParser parser;
    private final Map<Class<?>, Shape> shapes = new HashMap<>();

    private AnswerReader(JsonParser parser) {
        this.parser = parser;
    }

    static <T> T one(Class<T> type, byte[] bytes) throws IOException {
        try (JsonParser parser = FACTORY.createParser(bytes)) {
            if (parser.nextToken() == null) {
                throw new EOFException("it is empty");
            }
            return type.cast(new AnswerReader(parser).value(type));
        }
    }

    static <T> Map<String, String> each(Class<T> type, InputStream answer, Consumer<T> consumer) throws IOException {
        try (JsonParser parser = FACTORY.createParser(answer)) {
            AnswerReader reader = new AnswerReader(parser);
            while (parser.nextToken() != JsonToken.START_ARRAY) {
                if (parser.currentToken() == null) {
                    throw new EOFException("no list in it");
                }
            }
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                consumer.accept(type.cast(reader.value(type)));
            }
            Map<String, String> behind = new HashMap<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                behind.put(name, parser.nextToken().isScalarValue() ? parser.getText() : reader.json());
            }
            return behind;
        }
    }

    /** What the parser is at, as JSON. */
    private String json() throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            generator.copyCurrentStructure(parser);
        }
        return text.toString();
    }

    private Object value(Type type) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return nothing(type);
        }
        if (type instanceof ParameterizedType container) {
            Type[] of = container.getActualTypeArguments();
            return container.getRawType() == List.class ? list(of[0]) : map(of[1]);
        }
        return type instanceof Class<?> kind && kind.isRecord() ? object(kind) : scalar(type);
    }

    private static Object nothing(Type type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == int.class) {
            return 0;
        }
        return type == long.class ? 0L : null;
    }

    private Object scalar(Type type) throws IOException {
        JsonToken token = parser.currentToken();
        if (type == String.class && token.isScalarValue()) {
            return parser.getText();
        }
        if ((type == boolean.class || type == Boolean.class) && token.isBoolean()) {
            return token == JsonToken.VALUE_TRUE;
        }
        if ((type == int.class || type == Integer.class) && token == JsonToken.VALUE_NUMBER_INT) {
            return parser.getIntValue();
        }
        if ((type == long.class || type == Long.class) && token == JsonToken.VALUE_NUMBER_INT) {
            return parser.getLongValue();
        }
        if (type == Double.class && token.isNumeric()) {
            return parser.getDoubleValue();
        }
        throw unexpected();
    }

    private List<Object> list(Type of) throws IOException {
        expect(JsonToken.START_ARRAY);
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(present(of));
        }
        return items;
    }

    private Map<String, Object> map(Type of) throws IOException {
        expect(JsonToken.START_OBJECT);
        Map<String, Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            members.put(name, present(of));
        }
        return members;
    }

    private Object present(Type of) throws IOException {
        Object value = value(of);
        if (value == null) {
            throw unexpected();
        }
        return value;
    }

    private Object object(Class<?> type) throws IOException {
        expect(JsonToken.START_OBJECT);
        Shape shape = shapes.computeIfAbsent(type, Shape::of);
        Object[] values = new Object[shape.types.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = nothing(shape.types[i]);
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            Integer place = shape.places.get(parser.currentName());
            parser.nextToken();
            if (place == null) {
                parser.skipChildren();
            } else {
                values[place] = value(shape.types[place]);
            }
        }
        try {
            return shape.constructor.newInstance(values);
        } catch (InvocationTargetException refused) {
            throw new IOException(refused.getCause().getMessage(), refused.getCause());
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void expect(JsonToken token) throws IOException {
        if (parser.currentToken() != token) {
            throw unexpected();
        }
    }

    private IOException unexpected() throws IOException {
        return parser.currentToken() == null
                ? new EOFException("it is cut off")
                : new IOException("'" + parser.getText() + "' is not what belongs to '" + parser.currentName() + "'");
    }
}
