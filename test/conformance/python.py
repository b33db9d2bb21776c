Plain Python: streams, last values, and how they are written.

# %%
print("hello")
1 + 1

# %%
import sys
print("out")
print("err", file=sys.stderr)
sys.stdout.write("no newline")

# %%
x = 5;

# %%
x

# %%
_ + 1

# %%
"text with 'quotes'"

# %%
[i ** 2 for i in range(60)]

# %%
list(range(3000))

# %%
{"name": "Ada", "born": 1815, "languages": ["English", "French"], "notes": {"a": (1,), "b": {2}}}

# %%
from collections import Counter, OrderedDict, defaultdict, deque
Counter("mississippi"), OrderedDict(a=1), defaultdict(list, k=[1]), deque([1, 2], maxlen=3)

# %%
def gen():
    yield 1
gen()

# %%
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __repr__(self):
        return f"Point({self.x}, {self.y})"
[Point(i, -i) for i in range(3)]

# %%
import dataclasses
@dataclasses.dataclass
class Row:
    name: str
    values: list
Row("a", [1, 2])

# %%
import subprocess, sys
subprocess.run([sys.executable, "-c", "print('from a child')"], capture_output=True, text=True).stdout

# %%
import os
os.system("echo from the system")

# %%
import warnings
def old():
    warnings.warn("old is old", DeprecationWarning)
    warnings.warn("and careful")
old()

# %%
from __future__ import annotations
def f(x: Undefined) -> Also: return x
f(3)

# %%
None

# %%
import threading
thread = threading.Thread(target=lambda: print("from a thread"))
thread.start(); thread.join()

# %%
from tqdm import tqdm
total = 0
for i in tqdm(range(5)):
    total += i
total

# %%
lambda: 0
