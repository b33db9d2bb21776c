// Java: JShell of the person's own JDK, driven by `java-driver.java`, which the JDK compiles in memory as it starts.

import { existsSync, readdirSync } from "node:fs";
import { drivenLanguage } from "../driven/index.ts";

const java = drivenLanguage({
  name: "java",
  aliases: ["jshell"],
  extension: "java",
  title: "Java (JShell)",
  programs: ["java"],
  // Only a development kit has it.
  needs: [["jshell"]],
  packages: { apt: "default-jdk-headless", brew: "openjdk", winget: "Microsoft.OpenJDK.21" },
  driver: new URL("./java-driver.java", import.meta.url),
  args: (driver) => [
    "--add-opens",
    "java.base/java.io=ALL-UNNAMED",
    "--add-modules",
    "jdk.jshell,jdk.unsupported",
    "-XX:+UseSerialGC",
    // Its statistics would be a file that a killed process leaves behind.
    "-XX:-UsePerfData",
    driver,
  ],
  // Java opens descriptors by number only where they are small integers.
  posixOnly: true,
});

/** macOS has stand-ins for both programs that only say where to get them. */
function standInsOnly(): boolean {
  if (process.platform !== "darwin") return false;
  const kits = "/Library/Java/JavaVirtualMachines";
  return !process.env.JAVA_HOME && (!existsSync(kits) || readdirSync(kits).length === 0);
}

const { available } = java;
java.available = async (options) =>
  standInsOnly()
    ? available({ ...options, env: { ...options.env, PATH: withoutStandIns(options.env.PATH) } })
    : available(options);

function withoutStandIns(path = ""): string {
  return path
    .split(":")
    .filter((folder) => folder !== "/usr/bin")
    .join(":");
}

export { java };
