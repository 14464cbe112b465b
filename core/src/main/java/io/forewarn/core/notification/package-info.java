/** Who is told what: recipients, what they want, and how far they were told. The rules and the notifier come in; only names of fleets and events go out. */
package io.forewarn.core.notification;
