package io.forewarn.server.boot;

import java.util.logging.Logger;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Passes SLF4J logging of libraries to the JDK's loggers, from which {@link LibraryLog} takes warnings and errors. */
public final class Slf4jBinding implements SLF4JServiceProvider {
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    @Override
    public ILoggerFactory getLoggerFactory() {
        return Forwarding::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {}

    private static final class Forwarding extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;

        Forwarding(String name) {
            this.name = name;
        }

        /** Only levels that the operator's log uses. */
        private boolean takes(java.util.logging.Level level) {
            return Logger.getLogger(name).isLoggable(level)
                    && level.intValue() >= java.util.logging.Level.WARNING.intValue();
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return false;
        }

        @Override
        public boolean isWarnEnabled() {
            // Warnings of etcd's client are failed requests, which EtcdErrors reports.
            return takes(java.util.logging.Level.WARNING) && !name.startsWith("io.etcd.");
        }

        @Override
        public boolean isErrorEnabled() {
            return takes(java.util.logging.Level.SEVERE);
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level, Marker marker, String pattern, Object[] arguments, Throwable thrown) {
            Logger.getLogger(name)
                    .log(
                            level == Level.ERROR ? java.util.logging.Level.SEVERE : java.util.logging.Level.WARNING,
                            MessageFormatter.basicArrayFormat(pattern, arguments),
                            thrown);
        }
    }
}
