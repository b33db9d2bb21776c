// The version of this package; the build writes the real one in.

declare const PACKAGE_VERSION: string | undefined;

export const version: string = typeof PACKAGE_VERSION === "string" ? PACKAGE_VERSION : "0.0.0-source";
