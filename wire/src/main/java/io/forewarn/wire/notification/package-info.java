/** How a notification looks outside: as a CloudEvent, and as the text of a mail. The notifier and the stream come in; the control API's words go out. */
package io.forewarn.wire.notification;
