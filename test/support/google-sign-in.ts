// Google's sign-in for programs that run elsewhere: a token from a file is changed into one of Google's, here by a server
// on loopback that the credentials name.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function signInToGoogle() {
  const folder = mkdtempSync(join(tmpdir(), "google-test-"));
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        access_token: "token-of-google",
        issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
        token_type: "Bearer",
        expires_in: 3600,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const subject = join(folder, "subject");
  writeFileSync(subject, "subject-token");
  const credentials = join(folder, "credentials.json");
  writeFileSync(
    credentials,
    JSON.stringify({
      type: "external_account",
      audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/p",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
      credential_source: { file: subject },
    }),
  );
  return {
    credentials,
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
