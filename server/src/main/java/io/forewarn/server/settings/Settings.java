package io.forewarn.server.settings;

import io.forewarn.server.driver.DriverSettings;
import io.forewarn.server.identity.IdentitySettings;
import io.forewarn.server.metadata.MetadataSettings;
import io.forewarn.server.notification.NotificationSettings;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds all settings, section by section.
 *
 * @param profile set of defaults: azure behaves like Azure; with test, groups are always enabled and there is no rate limit
 */
public record Settings(
        Profile profile,
        ListenSettings listen,
        StoreSettings store,
        ClusterSettings cluster,
        ClockSettings clock,
        FleetSettings fleet,
        TenantSettings tenants,
        TermsSettings terms,
        MetadataSettings metadata,
        IdentitySettings identity,
        DriverSettings driver,
        LogSettings log,
        NotificationSettings notifications) {
    private static final Set<String> DECIDING =
            Set.of("cluster.lease", "clock.resume-grace", "clock.zone", "driver.kind", "store.log-retention");

    /** The defaults, given the two settings that other defaults depend on. */
    static Settings defaults(Profile profile, ClockSettings.Kind clock) {
        return new Settings(
                profile,
                ListenSettings.DEFAULTS,
                StoreSettings.DEFAULTS,
                ClusterSettings.DEFAULTS,
                ClockSettings.defaults(clock),
                FleetSettings.DEFAULTS,
                TenantSettings.DEFAULTS,
                TermsSettings.of(profile.terms()),
                profile.metadata(),
                IdentitySettings.DEFAULT,
                DriverSettings.DEFAULTS,
                LogSettings.DEFAULTS,
                NotificationSettings.DEFAULTS);
    }

    /**
     * The settings by which the writer decides. They must be the same on all nodes, or decisions depend on which node is
     * the writer.
     */
    public Map<String, String> deciding() {
        return SettingKey.of(this).stream()
                .filter(settingKey -> settingKey.path().startsWith("terms.")
                        || settingKey.path().startsWith("tenants.")
                        || DECIDING.contains(settingKey.path()))
                .collect(Collectors.toMap(SettingKey::path, settingKey -> SettingKey.print(settingKey.usual())));
    }
}
