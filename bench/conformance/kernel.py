"""Runs cells in ipykernel, in a fresh folder: a list of cells as JSON comes in, what came of each goes out."""

import json
import queue
import subprocess
import sys
import tempfile

from jupyter_client.manager import KernelManager

PATIENCE = 120


def outcome(client, code):
    made = {"stdout": "", "stderr": "", "shown": []}
    message = client.execute(code, allow_stdin=False)
    while True:
        event = client.get_iopub_msg(timeout=PATIENCE)
        if event["parent_header"].get("msg_id") != message:
            continue
        kind, content = event["msg_type"], event["content"]
        if kind == "stream":
            made[content["name"]] += content["text"]
        elif kind in ("display_data", "update_display_data", "execute_result"):
            shown = {"mimes": sorted(content["data"])}
            if kind == "execute_result":
                shown["text"] = content["data"].get("text/plain", "")
            made["shown"].append(shown)
        elif kind == "error":
            made["error"] = content["ename"]
        elif kind == "status" and content["execution_state"] == "idle":
            break
    # A slow kernel is asked several times whether it is ready, and answers each time.
    while (answer := client.get_shell_msg(timeout=PATIENCE))["parent_header"].get("msg_id") != message:
        pass
    reply = answer["content"]
    if reply["status"] == "error":
        made.setdefault("error", reply["ename"])
    pages = [page["data"]["text/plain"] for page in reply.get("payload", []) if page.get("source") == "page"]
    if pages:
        made["pages"] = pages
    return made


def main():
    cells = json.load(sys.stdin)
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        manager = KernelManager(kernel_cmd=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"])
        manager.start_kernel(cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        client = manager.client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=PATIENCE)
            made = []
            for code in cells:
                try:
                    made.append(outcome(client, code))
                except queue.Empty:
                    made.append({"stdout": "", "stderr": "", "shown": [], "error": "no answer"})
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
        print(json.dumps(made).replace(folder, "FOLDER"))


main()
