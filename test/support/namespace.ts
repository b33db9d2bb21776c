// A network of its own that leads nowhere: everything that leaves the machine goes through one device, which counts it.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";

/** Makes the network; what follows is run in it. Names are asked of a server behind the device, which never answers. */
const setUp = `
set -e
resolver=$(mktemp)
printf 'nameserver 10.99.0.1\\noptions timeout:1 attempts:1\\n' > "$resolver"
mount --bind "$resolver" /etc/resolv.conf
rm "$resolver"
echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6
ip link set lo up
ip link add out0 type veth peer name far0
ip link set far0 up
ip link set out0 up
ip addr add 10.99.0.2/24 dev out0
ip neigh add 10.99.0.1 lladdr 02:00:00:00:00:01 dev out0
ip route add default via 10.99.0.1
exec "$@"
`;

const enter = ["--map-root-user", "--net", "--mount", "sh", "-c", setUp, "sh"];

/** Why there can be no such network here; empty when there can. */
export function whyNoNamespace(): string {
  if (process.platform !== "linux") return "only Linux has network namespaces";
  const { status, stderr, error } = spawnSync("unshare", [...enter, "true"], { encoding: "utf8" });
  if (error) return `unshare cannot be run (${error.message})`;
  return status === 0 ? "" : `a network namespace is refused (${stderr.trim().split("\n")[0]})`;
}

export function startInNamespace(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn("unshare", [...enter, command, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
}
