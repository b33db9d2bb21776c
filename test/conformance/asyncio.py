Asynchronous code.

# %%
import asyncio
await asyncio.sleep(0, "slept")

# %%
async def double(n):
    await asyncio.sleep(0)
    return 2 * n
[await double(n) for n in range(3)]

# %%
await asyncio.gather(*(double(n) for n in range(4)))

# %%
task = asyncio.create_task(double(21))

# %%
await task

# %%
queue = asyncio.Queue()
async def produce():
    for n in range(3):
        await queue.put(n)
producer = asyncio.create_task(produce())
[await queue.get() for _ in range(3)]

# %%
async for_me = 1

# %%
async with asyncio.timeout(5):
    print("inside")

# %%
async def fails():
    raise LookupError("in a task")
await fails()

# %%
async def main():
    return "ran"
asyncio.run(main())

# %%
try:
    await asyncio.wait_for(asyncio.sleep(10), 0.01)
except asyncio.TimeoutError:
    print("timed out")

# %%
asyncio.get_event_loop() is asyncio.get_event_loop()
