// The variables by which programs find a proxy: nearly every one knows one of them.

/** `address` is a host and a port, with a name and a password before them where one is needed; `without` is reached without it. */
export function proxyVariables(address: string, without: string): Record<string, string> {
  const [web, socks] = [`http://${address}`, `socks5h://${address}`];
  return {
    HTTP_PROXY: web,
    http_proxy: web,
    HTTPS_PROXY: web,
    https_proxy: web,
    ALL_PROXY: socks,
    all_proxy: socks,
    NO_PROXY: without,
    no_proxy: without,
    NODE_USE_ENV_PROXY: "1",
  };
}
