"""The same things through ipykernel and its own client, for comparison. Prints milliseconds as JSON."""

import json
import sys
import time

from jupyter_client.manager import KernelManager


def milliseconds(action):
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def run(client, code):
    message = client.execute(code)
    while True:
        event = client.get_iopub_msg(timeout=60)
        if event["parent_header"].get("msg_id") == message and event["msg_type"] == "status":
            if event["content"]["execution_state"] == "idle":
                return


manager = KernelManager(kernel_cmd=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"])
begun = time.perf_counter()
manager.start_kernel()
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=60)
ready = (time.perf_counter() - begun) * 1000

for _ in range(20):
    run(client, "1+1")
round_trip = milliseconds(lambda: [run(client, "1+1") for _ in range(100)]) / 100
prints = min(milliseconds(lambda: run(client, "for i in range(200000): print(i)")) for _ in range(2))

PLOT = """
import os
class Plot:
    def _repr_png_(self): return data
data = b'\\x89PNG\\r\\n\\x1a\\n' + os.urandom(10_000_000)
Plot()
"""
plot = min(milliseconds(lambda: run(client, PLOT)) for _ in range(3))

message = client.execute("while True: pass")
time.sleep(0.3)
begun = time.perf_counter()
manager.interrupt_kernel()
while True:
    event = client.get_iopub_msg(timeout=60)
    if event["msg_type"] == "status" and event["content"]["execution_state"] == "idle":
        break
interrupt = (time.perf_counter() - begun) * 1000

client.stop_channels()
manager.shutdown_kernel(now=True)
print(json.dumps({"ready": ready, "roundTrip": round_trip, "prints": prints, "interrupt": interrupt, "plot": plot}))
