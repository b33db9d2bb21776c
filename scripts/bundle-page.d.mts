export function bundlePage(path: string): Promise<string>;
