export function bundlePage(path: string): Promise<{ text: string; inputs: Record<string, unknown> }>;
