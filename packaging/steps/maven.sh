# The Maven repository and the SBOM. Sourced by ./release.

# What other projects may depend on, with what that needs: the parent and the BOM, then libraries.
published() {
  local module list=.,bom,core,wire
  for module in client junit; do
    [ ! -d "$root/$module" ] || list=$list,$module
  done
  echo "$list"
}

pack_maven() {
  rm -rf "$dist/maven"
  maven -Ppublish -pl "$(published)" deploy -DskipTests -Dmaven.test.skip=true -Dskip.test.compile=true -Dmaven.install.skip=true -DaltDeploymentRepository="release::file://$dist/maven"
  # They name the time of the build; a repository of releases works without.
  find "$dist/maven" -name 'maven-metadata.xml*' -delete
}

write_sbom() {
  maven -Psbom -pl cli -am package -DskipTests -Dskip.test.compile=true
  install -m 644 "$root/cli/target/release/forewarn.cdx.json" "$dist/forewarn-$version.cdx.json"
}

# The section of this version, without its heading.
write_notes() {
  awk -v version="${version%-SNAPSHOT}" '/^## / { on = index($0, "## " version) == 1; next } on' "$root/CHANGELOG.md" > "$dist/release-notes.md"
  grep -q . "$dist/release-notes.md" || { echo "CHANGELOG.md has no section for $version"; return 1; }
}
