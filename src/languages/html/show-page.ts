// Opens a page in the browser, waits until it has come to rest, and takes a picture of it.

import type { Browser, BrowserEvent } from "./browser.ts";

export interface Printed {
  stream: "stdout" | "stderr";
  text: string;
}

export interface Page {
  /** Base64. */
  png: string;
  width: number;
  height: number;
  printed: Printed[];
  /** The first exception nobody caught. */
  error?: { name: string; message: string; traceback: string };
}

const width = 1280;
const height = 800;
const tallest = 3_200;
const mostPrinted = 500;

/** Rejects when `stopped` is aborted, with what the page had printed until then in `printed`. */
export async function showPage(browser: Browser, address: string, stopped: AbortSignal): Promise<Page> {
  const notes: Printed[] = [];
  let error: Page["error"];
  let loaded = () => {};
  const load = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  const requests = new Map<string, string>();
  browser.onEvent = ({ method, params }) => {
    if (method === "Page.loadEventFired") loaded();
    else if (method === "Runtime.exceptionThrown") error ??= exceptionIn(params, address);
    else if (notes.length < mostPrinted) notes.push(...notesOn(method, params, requests));
  };
  const stop = new Promise<never>((_, reject) => {
    if (stopped.aborted) reject(stopped.reason);
    stopped.addEventListener("abort", () => reject(stopped.reason), { once: true });
  });
  stop.catch(() => {});
  const within = <T>(work: Promise<T>): Promise<T> => Promise.race([work, stop]);
  try {
    const { targetId } = await within(browser.call("Target.createTarget", { url: "about:blank" }));
    const { sessionId } = await within(browser.call("Target.attachToTarget", { targetId, flatten: true }));
    const call = (method: string, params?: Record<string, unknown>) =>
      within(browser.call(method, params, sessionId as string));
    await Promise.all([call("Page.enable"), call("Runtime.enable"), call("Network.enable")]);
    await call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await call("Page.navigate", { url: address });
    await within(load);
    const { result } = (await call("Runtime.evaluate", {
      expression: rest,
      awaitPromise: true,
      returnByValue: true,
    })) as {
      result: { value?: number };
    };
    const full = Math.min(Math.max(Math.ceil(result?.value ?? height), 1), tallest);
    const clip = { x: 0, y: 0, width, height: Math.max(full, Math.min(height, full)), scale: 1 };
    const { data } = await call("Page.captureScreenshot", { format: "png", clip, captureBeyondViewport: true });
    await within(browser.call("Target.closeTarget", { targetId }));
    return { png: String(data), width, height: clip.height, printed: notes, ...(error && { error }) };
  } catch (problem) {
    throw Object.assign(problem as Error, { printed: notes });
  }
}

/** In the page: waits for fonts, pictures and two frames, and says how tall what is on it is. */
const rest = `(async () => {
  await document.fonts?.ready;
  await Promise.race([
    Promise.all([...document.images].map((image) => image.decode().catch(() => {}))),
    new Promise((resolve) => setTimeout(resolve, 2000)),
  ]);
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { scrollHeight } = document.documentElement;
  return scrollHeight > innerHeight ? scrollHeight : innerHeight;
})()`;

function exceptionIn(params: Record<string, unknown>, address: string): NonNullable<Page["error"]> {
  const details = params.exceptionDetails as {
    text: string;
    lineNumber: number;
    url?: string;
    exception?: { className?: string; description?: string };
  };
  const description = details.exception?.description ?? details.text;
  const message = description.split("\n")[0]!.replace(/^\w*Error: /, "");
  const traceback = `${description.replaceAll(address, "page").slice(0, 4_000)}\n`;
  return { name: details.exception?.className ?? "Error", message, traceback };
}

function* notesOn(method: string, params: BrowserEvent["params"], requests: Map<string, string>): Generator<Printed> {
  if (method === "Runtime.consoleAPICalled") {
    const args = params.args as { value?: unknown; description?: string }[];
    const text = args
      .map(({ value, description }) => (value === undefined ? (description ?? "") : asText(value)))
      .join(" ");
    const stream = ["error", "warning", "assert"].includes(String(params.type)) ? "stderr" : "stdout";
    yield { stream, text: `${text}\n` };
  }
  if (method === "Network.requestWillBeSent")
    requests.set(String(params.requestId), (params.request as { url: string }).url);
  if (method === "Network.loadingFailed" && params.canceled !== true) {
    const url = requests.get(String(params.requestId)) ?? "";
    const why = /^https?:|^wss?:/.test(url) ? "pages have no network" : String(params.errorText);
    yield { stream: "stderr", text: `Not loaded: ${url} (${why})\n` };
  }
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
