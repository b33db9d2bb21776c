// Endpoints in the clouds, where the address, the region and the way to sign in are the person's own.

import { fillAddress, normalizeBase } from "./address.ts";
import type { Environment, Provider } from "./catalogue/index.ts";
import type { Endpoint } from "./endpoint.ts";
import { MissingKeyError } from "./model-name-error.ts";
import { readVariable } from "./usable.ts";

export interface CloudChoice {
  provider: Provider;
  name: string;
  /** An address that was given. */
  base: string | undefined;
  key: string | undefined;
  apiVersion: string | undefined;
  env: Environment;
}

export const isCloud = ({ name }: Provider): boolean => name in clouds;

export const cloudEndpoint = (choice: CloudChoice): Endpoint => clouds[choice.provider.name]!(choice);

const clouds: Record<string, (choice: CloudChoice) => Endpoint> = {
  azure,
  "azure-chat": azure,
  bedrock,
  vertex,
};

/** A dated version means the older addresses, where the deployment is in the path and there are only chat completions. */
function azure(choice: CloudChoice): Endpoint {
  const { provider, name, base, key, apiVersion, env } = choice;
  if (!key)
    throw missing(
      provider,
      `Keep a key with \`interpreter keys set azure\`, set ${provider.keyVariables[0]}, or pass --api_key.`,
    );
  const address = base ? normalizeBase(base, provider.wire) : fillAddress(provider.baseUrl, provider, env);
  const root = address.replace(/\/openai(\/.*)?$/, "").replace(/(?<=[^/])\/v1$/, "");
  const dated = apiVersion !== undefined && /^\d{4}-/.test(apiVersion);
  return {
    ...common(choice),
    wire: dated ? "openai-compatible" : provider.wire,
    baseUrl: root + (dated ? `/openai/deployments/${name}` : "/openai/v1"),
    apiKey: key,
    headers: { "api-key": key },
    query: apiVersion ? { "api-version": apiVersion } : {},
  };
}

function bedrock(choice: CloudChoice): Endpoint {
  const { provider, base, key, env } = choice;
  const given = base ?? readVariable(env, ["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"])?.value;
  const region = readVariable(env, ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_REGION_NAME"])?.value ?? "us-east-1";
  const accessKeyId = readVariable(env, ["AWS_ACCESS_KEY_ID"])?.value;
  const secretAccessKey = readVariable(env, ["AWS_SECRET_ACCESS_KEY"])?.value;
  const sessionToken = readVariable(env, ["AWS_SESSION_TOKEN"])?.value;
  if (!key && !(accessKeyId && secretAccessKey))
    throw missing(provider, "Set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
  const address = provider.baseUrl.replace("${AWS_REGION}", region);
  return {
    ...common(choice),
    baseUrl: given ? normalizeBase(given, "bedrock") : region.startsWith("cn-") ? `${address}.cn` : address,
    apiKey: key ?? "",
    credentials: {
      region,
      ...(!key && accessKeyId && secretAccessKey && { accessKeyId, secretAccessKey }),
      ...(!key && sessionToken && { sessionToken }),
    },
  };
}

function vertex(choice: CloudChoice): Endpoint {
  const { provider, name, base, key, env } = choice;
  const project = readVariable(env, ["GOOGLE_VERTEX_PROJECT", "GOOGLE_CLOUD_PROJECT", "VERTEXAI_PROJECT"])?.value;
  const location =
    readVariable(env, ["GOOGLE_VERTEX_LOCATION", "GOOGLE_CLOUD_LOCATION", "VERTEXAI_LOCATION"])?.value ?? "global";
  const keyFile = readVariable(env, ["GOOGLE_APPLICATION_CREDENTIALS"])?.value;
  const wire = /^claude/i.test(name) ? "vertex-anthropic" : "vertex";
  // Express mode: a key and no project. Claude needs the project's sign-in.
  const express = key !== undefined && (wire === "vertex" || base !== undefined);
  if (!express && !project)
    throw missing(
      provider,
      "Set GOOGLE_VERTEX_PROJECT and sign in with `gcloud auth application-default login`, or set GOOGLE_VERTEX_API_KEY.",
    );
  const publisher = wire === "vertex" ? "publishers/google" : "publishers/anthropic/models";
  const address = express
    ? `${provider.baseUrl}/${publisher}`
    : `https://${vertexHost(location)}/${wire === "vertex" ? "v1beta1" : "v1"}/projects/${project}/locations/${location}/${publisher}`;
  return {
    ...common(choice),
    wire,
    baseUrl: base ? normalizeBase(base, wire) : address,
    apiKey: express ? key : "",
    credentials: { location, ...(project && { project }), ...(keyFile && { keyFile }) },
  };
}

function vertexHost(location: string): string {
  if (location === "global") return "aiplatform.googleapis.com";
  if (location === "eu" || location === "us") return `aiplatform.${location}.rep.googleapis.com`;
  return `${location}-aiplatform.googleapis.com`;
}

const common = ({ provider, name }: CloudChoice): Endpoint => ({
  id: `${provider.name}/${name}`,
  name,
  label: provider.label,
  wire: provider.wire,
  baseUrl: "",
  apiKey: "",
  headers: {},
  query: {},
  provider,
});

const missing = (provider: Provider, hint: string): MissingKeyError =>
  new MissingKeyError(provider, `${provider.label} needs a way to sign in, and none is set.`, hint);
